import type { FailureAnswer } from '../../failure.ts';
import { redirect } from '../../origin.ts';
import { sendPage } from './page.tsx';
import { PageHeading } from '../parts/heading.tsx';
import type { View } from './view.ts';

const TITLES: Readonly<Record<number, string>> = {
  401: 'Sign in first',
  403: 'Not allowed',
  404: 'There is no such page',
  405: 'Not possible here',
  413: 'Too much at once',
  429: 'Too many requests',
  503: 'Not just now',
};

/** Whether who asks is a person in front of a browser: then a refusal is a page, and JSON otherwise. */
export function wantsPage(request: Request, path: string): boolean {
  return !path.startsWith('/api/') && (request.headers.get('accept') ?? '').includes('text/html');
}

/** A refusal as a page; who only has to sign in is sent there, and comes back. */
export function failurePage(
  view: View,
  request: Request,
  { status, body, headers }: FailureAnswer,
): Response {
  const { pathname, search } = new URL(request.url, view.origin);
  if (status === 401 && (request.method === 'GET' || request.method === 'HEAD'))
    return redirect(`/sign-in?next=${encodeURIComponent(`${pathname}${search}`)}`);
  const title = TITLES[status] ?? 'That did not work';
  return sendPage(
    view,
    { title, status, headers },
    <PageHeading title={title} lead={`${body.error}.`}>
      <a href="/">All books and skills</a>
    </PageHeading>,
  );
}
