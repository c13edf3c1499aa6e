import { type AnyElysia, Elysia } from 'elysia';
import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../base/principal.ts';
import type { Http as HttpOf, Query } from '../http/http.ts';
import type { Words } from '../../words/words.ts';
import { Button, ButtonLink, Form } from './form.tsx';
import { type FlashWord, handleForm, type Refused, redirectSaying } from './handle-form.ts';
import { inAccount, sendPage } from './page.tsx';

export type Asking<Http> = {
  readonly http: Http;
  readonly who: SessionPrincipal;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
};

export type ActSite = {
  readonly guard: 'owner' | 'member';
  readonly send: (http: HttpOf, who: SessionPrincipal, title: string, body: ComponentChildren) => Response;
};

/** An action that takes something away. GET asks for confirmation; POST does it. */
type Act<Http, Found> = ActSite & {
  readonly path: string;
  readonly find: (asking: Asking<Http>) => Found;
  readonly title: (found: Found, words: Words) => string;
  readonly stops: (found: Found, words: Words) => ComponentChildren;
  readonly button: (words: Words) => string;
  readonly act: (found: Found, asking: Asking<Http>) => Promise<unknown>;
  /** Returns the page to which "Cancel" leads. A finished action leads there too, and shows the sentence of `said`. */
  readonly back: (found: Found) => string;
  readonly said: FlashWord;
  /** Shows the page for a refused action. Without it, the refusal is shown like any failure. */
  readonly refused?: (asking: Asking<Http>, refused: Refused) => Response | Promise<Response>;
};

/** Shows a reader's actions among the pages of their account. `inOffice` of `office/office.part.tsx` is for the owner's. */
export const OF_OWN_ACCOUNT: ActSite = {
  guard: 'member',
  send: (http, who, title, body) => {
    const view = http.viewOf(who);
    return sendPage(
      view,
      { title, ...inAccount(view.words), isNarrow: true },
      <div class="stack">{body}</div>,
    );
  },
};

export type ActRoutes<Http> = (http: Http) => AnyElysia;

export function actRoutes<Http extends HttpOf, Found>(act: Act<Http, Found>): ActRoutes<Http> {
  return (http) => {
    const app = new Elysia().use(http.guards);
    const answer = answerOf(act, http);
    return act.guard === 'owner'
      ? app.guard({ owner: true }, (routes) =>
          routes
            .get(act.path, ({ owner, params, query, request }) => answer(request, owner, { params, query }))
            .post(act.path, ({ owner, params, query, request }) => answer(request, owner, { params, query })),
        )
      : app.guard({ member: true }, (routes) =>
          routes
            .get(act.path, ({ member, params, query, request }) => answer(request, member, { params, query }))
            .post(act.path, ({ member, params, query, request }) =>
              answer(request, member, { params, query }),
            ),
        );
  };
}

function answerOf<Http extends HttpOf, Found>(act: Act<Http, Found>, http: Http) {
  return async (request: Request, who: SessionPrincipal, at: Pick<Asking<Http>, 'params' | 'query'>) => {
    const { refused } = act;
    const asking: Asking<Http> = { http, who, ...at };
    const run = async (): Promise<Response> => {
      const found = await act.find(asking);
      if (request.method !== 'POST') return ask(act, found, asking, new URL(request.url));
      await act.act(found, asking);
      return redirectSaying(act.back(found), act.said);
    };
    return refused === undefined ? run() : handleForm(run, (why) => refused(asking, why));
  };
}

function ask<Http extends HttpOf, Found>(
  act: Act<Http, Found>,
  found: Found,
  { http, who }: Asking<Http>,
  { pathname, search }: URL,
): Response {
  const { words } = http.viewOf(who);
  const body = (
    <>
      <p>{act.stops(found, words)}</p>
      <Form action={pathname + search}>
        <div class="actions">
          <Button kind="danger">{act.button(words)}</Button>
          <ButtonLink href={act.back(found)} kind="quiet">
            {words.library.revoking.cancel}
          </ButtonLink>
        </div>
      </Form>
    </>
  );
  return act.send(http, who, act.title(found, words), body);
}
