import type { FailureAnswer, FailureBody } from '../../failure.ts';
import { redirect } from '../../answer.ts';
import { PageHeading, sendPage, type View } from './page.tsx';

const TITLES: Readonly<Record<number, string>> = {
  401: 'Sign in first',
  403: 'Not allowed',
  404: 'Page not found',
  405: 'Method not allowed',
  413: 'Too large',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
};

/** Whether a browser asks for a page: then a refusal is a page, otherwise JSON. */
export function wantsPage(request: Request, path: string): boolean {
  return !path.startsWith('/api/') && (request.headers.get('accept') ?? '').includes('text/html');
}

/** A refusal as a page; visitors who only have to sign in are sent there, and come back afterwards. */
export function failurePage(
  view: View,
  request: Request,
  { status, body, headers }: FailureAnswer,
): Response {
  const { pathname, search } = new URL(request.url, view.origin);
  if (status === 401 && (request.method === 'GET' || request.method === 'HEAD'))
    return redirect(`/sign-in?next=${encodeURIComponent(`${pathname}${search}`)}`);
  const title = TITLES[status] ?? 'Something went wrong';
  return sendPage(
    view,
    { title, status, headers },
    <PageHeading title={title} lead={<FailureSentence {...body} />}>
      <a href="/">All books and skills</a>
    </PageHeading>,
  );
}

/** A refusal's sentence. The shop's address at its end is a link: in other refusals a stranger may have written it. */
function FailureSentence({ error, code }: FailureBody) {
  // It speaks to programs too: people are told no more than helps them.
  if (error.startsWith('Cannot find this path:'))
    return <>There is no page at this address. All books and skills are on the first page.</>;
  const [, lost] = /^(Cannot find .*): [^:]*\/api\//s.exec(error) ?? [];
  if (code === 'NOT_FOUND' && lost !== undefined)
    return <>{lost}. All books and skills are on the first page.</>;
  const [, words = '', url] =
    (code === 'ACCESS_DENIED' ? /^(.* at )(https:\/\/\S+)$/.exec(error) : null) ?? [];
  if (url === undefined) return <>{error}.</>;
  return (
    <>
      {words}
      <a href={url}>{url}</a>.
    </>
  );
}
