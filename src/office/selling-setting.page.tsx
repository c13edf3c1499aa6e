import { OfficeRefusal } from '../platform/base/told.ts';
import type { Office } from '../words/office.ts';
import { officeOf, useOffice } from '../platform/site/words.tsx';
import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { proofOf } from '../accounts/second-step.ts';
import { ProofField } from '../accounts/proof.part.tsx';
import { setBy, variableSetting } from '../platform/config/live-config.ts';
import { secretVariable, setupVariable, takesSales } from '../platform/config/sales.ts';
import type { Form as SentForm } from '../platform/http/body.ts';
import { When } from '../platform/site/data-table.tsx';
import { Button, Field, Form } from '../platform/site/form.tsx';
import { type FormEnd, handleSentForm, redirectSaying } from '../platform/site/handle-form.ts';
import { connectProvider, disconnected, isConnected, playSale } from '../publishing/provider-connection.ts';
import { addressesOf, originProblem } from '../publishing/sell-check.ts';
import {
  isPaymentProvider,
  isSigning,
  PAYMENT_PROVIDERS,
  type PaymentProvider,
  PROVIDER_NAMES,
} from '../words/payment-provider.ts';
import { errorBeside, FieldRefusal, refusedBeside } from '../platform/site/field-refusal.ts';
import { Fixed, sendSettings, Setting, SETTINGS_PATHS } from './setting.part.tsx';
import { proveWith } from './setting-proof.ts';
import type { Http, Stall } from './stall.ts';

const PATH = SETTINGS_PATHS.selling;

/** The pages on which the owner makes an API key of a provider. */
const KEY_PAGES: Readonly<Record<PaymentProvider, string>> = {
  stripe: 'https://dashboard.stripe.com/apikeys/create',
  polar: 'https://polar.sh/settings',
  lemonsqueezy: 'https://app.lemonsqueezy.com/settings/api',
  gumroad: 'https://gumroad.com/settings/advanced',
};

type Shown = FormEnd<SentForm> & { readonly steps?: readonly string[] };

/** `GET /admin/settings/selling`: shows the payment providers, how each is connected, and the last event of each. */
export function showSellingSettings(
  http: Http,
  owner: SessionPrincipal,
  { said, refused, typed, steps = [] }: Shown,
): Response {
  const w = officeOf(http, owner);
  const { stall } = http;
  const unreachable = originProblem(stall.origin());
  return sendSettings(
    http,
    owner,
    {
      current: 'selling',
      lead: w.sellingSettings.lead,
      said,
      refused,
    },
    <>
      {unreachable !== null && (
        <p class="notice" lang="en">
          {unreachable}.
        </p>
      )}
      <Steps steps={steps} />
      {PAYMENT_PROVIDERS.map((provider) => (
        <Provider
          stall={stall}
          owner={owner}
          provider={provider}
          refused={typed?.text('setting') === provider ? refused : undefined}
        />
      ))}
    </>,
  );
}

const Steps = ({ steps }: { steps: readonly string[] }) =>
  steps.length === 0 ? null : (
    <section lang="en">
      <ul>
        {steps.map((step) => (
          <li>{step}.</li>
        ))}
      </ul>
    </section>
  );

type ProviderProps = {
  readonly stall: Stall;
  readonly owner: SessionPrincipal;
  readonly provider: PaymentProvider;
  readonly refused: Shown['refused'];
};

function Provider({ stall, owner, provider, refused }: ProviderProps) {
  const w = useOffice();
  const name = PROVIDER_NAMES[provider];
  const secret = secretVariable(provider);
  const source = setBy(stall.config, secret) ?? setBy(stall.config, `${secret}_TEST`);
  const ending = stall.settings.endingOf(variableSetting(setupVariable(provider)));
  const isSet = isConnected(stall, provider);
  const states = stateOf(w, stall, provider);
  return (
    <section>
      <h2>{name}</h2>
      {source === null ? (
        <Setting
          action={PATH}
          name={provider}
          label={name}
          save={
            isSet ? w.sellingSettings.connectAgainButton({ name }) : w.sellingSettings.connectButton({ name })
          }
        >
          {states}
          <Field
            label={w.sellingSettings.key}
            name="key"
            type="password"
            autocomplete="new-password"
            error={errorBeside(refused, 'key')}
            hint={w.sellingSettings.keyHint({
              link: <a href={KEY_PAGES[provider]}>{name}</a>,
              provider,
              ending,
            })}
          />
          <ProofField proof={proofOf(stall, owner)} error={errorBeside(refused, 'proof')} />
        </Setting>
      ) : (
        <Fixed label={w.sellingSettings.connection({ name })} source={source}>
          {states}
        </Fixed>
      )}
      {source === null && isSet && (
        <Form action={PATH} confirm={w.sellingSettings.disconnectConfirm({ name })}>
          <input type="hidden" name="setting" value={provider} />
          <ProofField proof={proofOf(stall, owner)} error={errorBeside(refused, 'proof')} />
          <Button kind="danger" name="act" value="disconnect">
            {w.sellingSettings.disconnectButton({ name })}
          </Button>
        </Form>
      )}
      {isSigning(provider) && stall.config.sales.secrets[provider].live.length > 0 && (
        <Setting
          action={PATH}
          name={provider}
          label={w.sellingSettings.testForm({ name })}
          save={w.sellingSettings.testButton}
        >
          <input type="hidden" name="act" value="play" />
          <p class="hint">{w.sellingSettings.testHint({ email: owner.email })}</p>
        </Setting>
      )}
    </section>
  );
}

/** Says how a provider is connected, and which event came from it last. */
function stateOf(w: Office, stall: Stall, provider: PaymentProvider): ComponentChildren {
  const { sales } = stall.config;
  if (!takesSales(sales, provider)) return <p>{w.sellingSettings.notConnected}</p>;
  const modes = isSigning(provider)
    ? (['live', 'test'] as const).filter((mode) => sales.secrets[provider][mode].length > 0)
    : (['live'] as const);
  const [last, failed] = [false, true].map((isFailed) => stall.store.findLastEvent(provider, isFailed));
  return (
    <>
      <p>
        {w.sellingSettings.connectedLead({
          modes,
          webhook: addressesOf(provider, stall.origin()).webhook,
        })}
        {last
          ? w.sellingSettings.lastEvent({ ...last, when: <When at={last.at} withTime /> })
          : w.sellingSettings.noEvents}
      </p>
      {failed && (
        <p>
          {w.sellingSettings.lastError({ reason: failed.reason, when: <When at={failed.at} withTime /> })}
        </p>
      )}
    </>
  );
}

/** `POST /admin/settings/selling`: connects a provider by its API key, disconnects it, or plays a test sale. */
export async function saveSellingSettings(http: Http, request: Request, owner: SessionPrincipal) {
  const w = officeOf(http, owner);
  const { stall } = http;
  return handleSentForm(
    request,
    async (form) => {
      const provider = form.text('setting');
      if (!isPaymentProvider(provider)) throw new OfficeRefusal('invalid-request', (r) => r.noProvider);
      if (form.text('act') === 'play')
        return showSellingSettings(http, owner, { steps: await playSale(stall, owner, provider) });
      await proveWith(http, request, owner, form);
      if (form.text('act') === 'disconnect') {
        await stall.settings.save(owner, `selling.${provider}`, disconnected(provider));
        return redirectSaying(PATH, 'saved');
      }
      const key = form.text('key').trim();
      if (key === '')
        throw new FieldRefusal('key', new OfficeRefusal('invalid-request', (r) => r.noProviderKey));
      const { done, byHand, isTest } = await refusedBeside('key', () =>
        connectProvider(stall, owner, { provider, key }),
      );
      return showSellingSettings(http, owner, {
        said: w.sellingSettings.connected({ name: PROVIDER_NAMES[provider], isTest }),
        steps: [...done, ...byHand.map((step) => `By hand: ${step}`)],
      });
    },
    (end) => showSellingSettings(http, owner, end),
  );
}
