/** The header with a key itself, quoted for a shell. */
export function bearerOf(key: string): string {
  return `-H 'Authorization: Bearer ${key}' `;
}

/** The header with the key that a shell keeps in its variable. */
export const BEARER_VARIABLE = '-H "Authorization: Bearer $BOOKSTALL_KEY" ';

/** The curl commands of a stall, each one physical line to paste into a shell; `bearer` is one of the headers above, or ''. */
export const curlLines = {
  install: (origin: string, bearer: string, slug: string): string =>
    `curl -fsS ${bearer}${origin}/api/install/${slug} | tar -xz`,
  zip: (origin: string, bearer: string, slug: string): string =>
    `curl -fsSOJ ${bearer}${origin}/api/skills/${slug}/download`,
  library: (origin: string, bearer: string): string => `curl -fsS ${bearer}${origin}/api/cli/library`,
  items: (origin: string): string => `curl -fsS ${origin}/api/items`,
  ask: (origin: string, bearer: string, bookId: string | null, query: string): string => {
    const body = JSON.stringify({ book_id: bookId, query }).replaceAll("'", "'\\''");
    return `curl -fsSN ${bearer}-H 'Content-Type: application/json' -d '${body}' ${origin}/api/agent/fetch`;
  },
} as const;
