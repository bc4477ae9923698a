// Quiet hours are those of who opens the room.
for (const zone of document.querySelectorAll("[name=zone]")) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
