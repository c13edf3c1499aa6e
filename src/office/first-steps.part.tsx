import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { listPublished } from '../catalog/catalog.ts';
import { isFree } from '../catalog/item.rule.ts';
import { listOffers } from '../selling/offer.ts';
import { takesSales } from '../platform/config/sales.ts';
import { readBackupRecord } from '../platform/store/backup.ts';
import { findSetupProblems, originProblem } from '../publishing/sell-check.ts';
import { Button, Form } from '../platform/site/form.tsx';
import { SECOND_STEP } from '../platform/site/page.tsx';
import { ADD, HANDBOOK, ITEMS, SELLING } from '../platform/site/paths.ts';
import { PAYMENT_PROVIDERS } from '../words/payment-provider.ts';
import { SETTINGS_PATHS } from './setting.part.tsx';
import type { Stall } from './stall.ts';

const CHAPTERS = {
  'The shop and the office': '2g-shop-and-office.md#give-the-stall-its-name-and-looks',
  'Import a manuscript': '2b-import.md',
  Selling: '2e-selling.md#connect-a-provider-sell-setup',
  'Mail and claims': '2f-mail-and-claims.md#let-the-stall-send-mail',
  'Install and run': '2i-install-and-run.md#behind-caddy',
  'Backup and restore': '2j-backup.md#let-the-server-make-backups',
  'Accounts, grants and keys': '2d-accounts-and-grants.md#a-second-step-for-the-owner',
} as const;

export const STEPS_AWAY = 'office.first-steps-away';

const EXAMPLES: ReadonlySet<string> = new Set(['example-book', 'example-skill']);

type Step = {
  readonly name: string;
  readonly isDone: boolean;
  readonly how: ComponentChildren;
  readonly chapter: keyof typeof CHAPTERS;
};

function stepsOf(stall: Stall, { accountId }: SessionPrincipal): readonly Step[] {
  const { config, outbox, manifest, catalog, origin, store } = stall;
  const { name, contact, terms, imprint } = manifest();
  const published = listPublished(catalog());
  const priced = published.filter(({ manifest: one }) => !isFree(one));
  const offers = listOffers(catalog());
  const [problem] = findSetupProblems(config.sales, new Set(offers.map(({ provider }) => provider)));
  const isConnected = PAYMENT_PROVIDERS.some((provider) => takesSales(config.sales, provider));
  const unreachable = originProblem(origin());
  const steps: readonly Step[] = [
    {
      name: 'Serve it over public https',
      isDone: unreachable === null,
      how: `${unreachable}.`,
      chapter: 'Install and run',
    },
    {
      name: 'Name the shop',
      isDone: name !== 'Bookstall' && contact !== null,
      how: (
        <>
          <a href={SETTINGS_PATHS.shop}>Settings</a> have its name, contact, colour and logo.
        </>
      ),
      chapter: 'The shop and the office',
    },
    {
      name: 'Replace or unpublish the examples',
      isDone: !published.some(({ manifest: { slug } }) => EXAMPLES.has(slug)),
      how: (
        <>
          Readers see them. <a href={ITEMS}>Items</a> says where each lies.
        </>
      ),
      chapter: 'Import a manuscript',
    },
    {
      name: 'Add an item',
      isDone: published.some(({ manifest: { slug } }) => !EXAMPLES.has(slug)),
      how: (
        <>
          <a href={ADD}>Add a book or skill</a>, look at the draft, and publish it in its form.
        </>
      ),
      chapter: 'Import a manuscript',
    },
    {
      name: 'Give it a way to be bought',
      isDone: priced.length > 0 && isConnected && problem === undefined,
      how:
        problem === undefined ? (
          <>
            <a href={SELLING}>Connect a payment provider</a>; the form of an item in <a href={ITEMS}>Items</a>{' '}
            then has its price, and makes it there.
          </>
        ) : (
          `${problem.sentence}. ${problem.remedy}.`
        ),
      chapter: 'Selling',
    },
    {
      name: 'Let the stall send mail',
      isDone: outbox.sends,
      how: (
        <>
          <a href={SETTINGS_PATHS.mail}>Set the mail server</a>; until then <a href="/admin/mail">Mail</a> has
          links for you to pass on to buyers.
        </>
      ),
      chapter: 'Mail and claims',
    },
    {
      name: 'Show your terms and imprint',
      isDone: terms !== null && imprint !== null,
      how: (
        <>
          Many countries demand them of a shop: <a href={`${SETTINGS_PATHS.shop}#terms`}>write them</a>.
        </>
      ),
      chapter: 'The shop and the office',
    },
    {
      name: 'Turn on the second step',
      isDone: config.proxySignIn !== null || store.findSecondStep(accountId) !== null,
      how: (
        <>
          With <a href={SECOND_STEP}>a code from an app</a>, your password alone opens nothing.
        </>
      ),
      chapter: 'Accounts, grants and keys',
    },
    {
      name: 'Make backups',
      isDone: config.backup.every !== null || readBackupRecord(config.data) !== null,
      how: (
        <>
          <a href={SETTINGS_PATHS.backups}>Backups</a> says how often, and makes one now.
        </>
      ),
      chapter: 'Backup and restore',
    },
  ];
  const isReady = steps.every(({ isDone }) => isDone);
  const last = isReady ? 'All is ready: it comes by itself.' : 'It comes when the rest is done.';
  const how = (
    <>
      {last} <a href={SELLING}>Play a test sale</a> before.
    </>
  );
  return [...steps, { name: 'The first sale', isDone: false, how, chapter: 'Selling' }];
}

type FirstStepsProps = {
  readonly stall: Stall;
  readonly owner: SessionPrincipal;
  readonly isFolded: boolean;
};

/** The steps up to the first sale by a provider; folded once something was sold in another way, or the owner put them away. */
export function FirstSteps({ stall, owner, isFolded }: FirstStepsProps) {
  const steps = stepsOf(stall, owner);
  const done = steps.filter(({ isDone }) => isDone).length;
  const count = `${done} of ${steps.length} done`;
  const isAway = stall.settings.value(STEPS_AWAY) === true;
  if (isFolded || isAway)
    return (
      <details>
        <summary>Before your first sale by a provider: {count}</summary>
        <StepList steps={steps} />
      </details>
    );
  return (
    <section>
      <h2>Before your first sale</h2>
      <p class="quiet">{count}</p>
      <StepList steps={steps} />
      <Form action="/admin/first-steps/away">
        <Button kind="quiet">Put this list away</Button>
      </Form>
    </section>
  );
}

const StepList = ({ steps }: { steps: readonly Step[] }) => (
  <ol class="first-steps">
    {steps.map(({ name, isDone, how, chapter }) => (
      <li class={isDone ? 'done' : undefined}>
        <strong>{name}</strong>
        {isDone && <span class="badge good">Done</span>}
        {!isDone && (
          <p>
            {how} Handbook: <a href={`${HANDBOOK}/${CHAPTERS[chapter]}`}>{chapter}</a>
          </p>
        )}
      </li>
    ))}
  </ol>
);
