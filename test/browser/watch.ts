import type { BrowserContext, ConsoleMessage, Request, Response } from 'playwright-core';

/** A status is judged where its response is seen; the console only repeats it. */
const REPEATED = /^Failed to load resource: the server responded with a status of/;

/** Reports what the page's own policy blocked; it runs before the page's first script. */
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) =>
  reportViolation(event.effectiveDirective + ' blocked ' + (event.blockedURI || 'inline') + ' on ' + event.documentURI))`;

/**
 * Notes, as long as the context lives, all that no page may do: speak on the console, fail, run into its own policy,
 * ask another origin, miss one of its parts, open a dialog that asks nothing. A document of 4xx is an answer like any.
 * Dialogs that ask are affirmed, and their sentences kept in `asked`.
 */
export async function watchPages(context: BrowserContext, origin: string) {
  const problems: string[] = [];
  const asked: string[] = [];
  const note = (kind: string, what: string): void => void problems.push(`${kind}: ${what}`);
  await context.exposeBinding('reportViolation', (_, what: string) => note('policy', what));
  await context.addInitScript(REPORT_VIOLATIONS);
  context.on('console', (message) => spokenBy(message).forEach((text) => note('console', text)));
  context.on('weberror', (failure) => note('page', failure.error().message));
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) note('left the origin', nameOf(request));
  });
  context.on('requestfailed', (request) => {
    // A page that is left while it loads aborts its requests, and a download is not a page.
    const reason = request.failure()?.errorText ?? '';
    if (reason !== 'net::ERR_ABORTED') note('request', `${nameOf(request)}: ${reason}`);
  });
  context.on('response', (response) => {
    if (response.status() >= (isDocument(response) ? 500 : 400))
      note('response', `${nameOf(response.request())}: ${response.status()}`);
  });
  context.on('dialog', (dialog) => {
    if (dialog.type() === 'confirm') asked.push(dialog.message());
    else note('dialog', `${dialog.type()} ${dialog.message()}`);
    void dialog.accept().catch(() => {});
  });
  return { problems, asked };
}

function spokenBy(message: ConsoleMessage): readonly string[] {
  const isLoud = ['error', 'warning', 'assert'].includes(message.type());
  return isLoud && !REPEATED.test(message.text()) ? [message.text()] : [];
}

const isDocument = (response: Response): boolean => response.request().resourceType() === 'document';
const nameOf = (request: Request): string => `${request.method()} ${request.url()}`;
