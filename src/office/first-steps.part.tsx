import type { Office } from '../words/office.ts';
import { useOffice } from '../platform/site/words.tsx';
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
import { ADD, HANDBOOK, ITEMS, SELLING } from '../platform/site/linked-pages.ts';
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

function stepsOf(w: Office, stall: Stall, { accountId }: SessionPrincipal): readonly Step[] {
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
      name: w.firstSteps.https,
      isDone: unreachable === null,
      how: <span lang="en">{unreachable}.</span>,
      chapter: 'Install and run',
    },
    {
      name: w.firstSteps.shop,
      isDone: name !== 'Bookstall' && contact !== null,
      how: w.firstSteps.shopHow({ link: (text) => <a href={SETTINGS_PATHS.shop}>{text}</a> }),
      chapter: 'The shop and the office',
    },
    {
      name: w.firstSteps.examples,
      isDone: !published.some(({ manifest: { slug } }) => EXAMPLES.has(slug)),
      how: w.firstSteps.examplesHow({ link: (text) => <a href={ITEMS}>{text}</a> }),
      chapter: 'Import a manuscript',
    },
    {
      name: w.firstSteps.item,
      isDone: published.some(({ manifest: { slug } }) => !EXAMPLES.has(slug)),
      how: w.firstSteps.itemHow({ link: (text) => <a href={ADD}>{text}</a> }),
      chapter: 'Import a manuscript',
    },
    {
      name: w.firstSteps.sale,
      isDone: priced.length > 0 && isConnected && problem === undefined,
      how:
        problem === undefined ? (
          w.firstSteps.saleHow({
            provider: (text) => <a href={SELLING}>{text}</a>,
            items: (text) => <a href={ITEMS}>{text}</a>,
          })
        ) : (
          <span lang="en">{`${problem.sentence}. ${problem.remedy}.`}</span>
        ),
      chapter: 'Selling',
    },
    {
      name: w.firstSteps.mail,
      isDone: outbox.sends,
      how: w.firstSteps.mailHow({
        server: (text) => <a href={SETTINGS_PATHS.mail}>{text}</a>,
        mails: (text) => <a href="/admin/mail">{text}</a>,
      }),
      chapter: 'Mail and claims',
    },
    {
      name: w.firstSteps.terms,
      isDone: terms !== null && imprint !== null,
      how: w.firstSteps.termsHow({
        link: (text) => <a href={`${SETTINGS_PATHS.shop}#terms`}>{text}</a>,
      }),
      chapter: 'The shop and the office',
    },
    {
      name: w.firstSteps.secondStep,
      isDone: config.proxySignIn !== null || store.findSecondStep(accountId) !== null,
      how: w.firstSteps.secondStepHow({ link: (text) => <a href={SECOND_STEP}>{text}</a> }),
      chapter: 'Accounts, grants and keys',
    },
    {
      name: w.firstSteps.backups,
      isDone: config.backup.every !== null || readBackupRecord(config.data) !== null,
      how: w.firstSteps.backupsHow({ link: (text) => <a href={SETTINGS_PATHS.backups}>{text}</a> }),
      chapter: 'Backup and restore',
    },
  ];
  const isReady = steps.every(({ isDone }) => isDone);
  const how = w.firstSteps.firstSaleHow({ isReady, link: (text) => <a href={SELLING}>{text}</a> });
  return [...steps, { name: w.firstSteps.firstSale, isDone: false, how, chapter: 'Selling' }];
}

type FirstStepsProps = {
  readonly stall: Stall;
  readonly owner: SessionPrincipal;
  readonly isFolded: boolean;
};

/** The steps up to the first sale by a payment provider; collapsed if `isFolded`, or once the owner put them away. */
export function FirstSteps({ stall, owner, isFolded }: FirstStepsProps) {
  const w = useOffice();
  const steps = stepsOf(w, stall, owner);
  const done = steps.filter(({ isDone }) => isDone).length;
  const count = { done, all: steps.length };
  const isAway = stall.settings.value(STEPS_AWAY) === true;
  if (isFolded || isAway)
    return (
      <details>
        <summary>{w.firstSteps.folded(count)}</summary>
        <StepList steps={steps} />
      </details>
    );
  return (
    <section>
      <h2>{w.firstSteps.title}</h2>
      <p class="quiet">{w.firstSteps.count(count)}</p>
      <StepList steps={steps} />
      <Form action="/admin/first-steps/away">
        <Button kind="quiet">{w.firstSteps.awayButton}</Button>
      </Form>
    </section>
  );
}

const StepList = ({ steps }: { steps: readonly Step[] }) => {
  const w = useOffice();
  return (
    <ol class="first-steps">
      {steps.map(({ name, isDone, how, chapter }) => (
        <li class={isDone ? 'done' : undefined}>
          <strong>{name}</strong>
          {isDone && <span class="badge good">{w.common.done}</span>}
          {!isDone && (
            <p>
              {w.firstSteps.handbook({
                how,
                link: (
                  <a href={`${HANDBOOK}/${CHAPTERS[chapter]}`} lang="en">
                    {chapter}
                  </a>
                ),
              })}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
};
