// On a small screen the board shows a part of itself: here the part where something glows.
{
  const frame = document.querySelector(".board-frame");
  const glowing = frame?.querySelector("#targets button[form=act]");
  if (glowing) {
    const [box, spot] = [frame.getBoundingClientRect(), glowing.getBoundingClientRect()];
    frame.scrollBy(spot.x + spot.width / 2 - box.x - box.width / 2, spot.y + spot.height / 2 - box.y - box.height / 2);
  }
}
