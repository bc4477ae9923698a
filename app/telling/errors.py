"""What is refused when somebody wants to be told, and why. The words are under `notice.error.<code>`."""

from typing import Final

STATUS: Final = {
    "bad_address": 422,
    "bad_link": 404,
    "bad_mail": 422,
    "bad_push": 422,
    "many_ways": 409,
    "no_way": 404,
    "not_delivered": 502,
    "not_offered": 404,
    "private_address": 422,
    "too_often": 429,
}


class TellingError(Exception):
    """Something that is not done. Nothing has changed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
        self.status = STATUS[code]

    @property
    def key(self) -> str:
        return f"notice.error.{self.code}"
