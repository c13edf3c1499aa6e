const PASSWORD = 'seven herons in the marsh';

/** Opens the link of `account link` as a browser does: chooses a password, and returns the cookie of the new session. */
export async function acceptInvitation(stallUrl: string, link: string): Promise<string> {
  const { pathname, hash } = new URL(link);
  const answer = await fetch(`${stallUrl}${pathname}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: stallUrl },
    body: new URLSearchParams({ code: hash.slice(1), password: PASSWORD, again: PASSWORD }),
  });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0];
  if (cookie === undefined) throw new Error(`${pathname} answered ${answer.status} without a session`);
  return cookie;
}
