"""Which language a person reads: what they chose, else what their browser asks for, else English."""

from typing import Final

from starlette.requests import HTTPConnection

from app.i18n import LANGUAGES, Phrasebook, phrasebook

COOKIE: Final = "language"


def words_for(request: HTTPConnection) -> Phrasebook:
    chosen = request.cookies.get(COOKIE)
    if chosen in LANGUAGES:
        return phrasebook(chosen)
    return phrasebook(preferred(request.headers.get("accept-language", "")))


def preferred(header: str) -> str:
    """The best of our languages for an Accept-Language header.

    >>> preferred("fr-CH, it;q=0.9, en;q=0.8")
    'it'
    >>> preferred("ru;q=0.2, es-MX;q=0.7, de")
    'es'
    >>> preferred("en;q=0, tlh"), preferred("it;q=many, ;;, *")
    ('en', 'en')
    """
    best, weight = LANGUAGES[0], 0.0
    for wish in header.split(","):
        tag, _, rest = wish.strip().partition(";")
        language = tag.strip().partition("-")[0].lower()
        try:
            quality = float(rest.strip().removeprefix("q=")) if rest else 1.0
        except ValueError:
            continue
        if language in LANGUAGES and quality > weight:
            best, weight = language, quality
    return best
