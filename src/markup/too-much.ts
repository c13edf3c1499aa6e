/** Thrown where a text is too deep or too much to be shown as markup. */
export class TooMuch extends Error {}
