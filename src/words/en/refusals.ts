/** Why something is refused, where a reader's page can show it. */
export const refusals = {};
