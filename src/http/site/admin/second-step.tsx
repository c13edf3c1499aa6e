import { encode } from 'uqr';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { isTotpSecret, mintTotpSecret, totpUri } from '../../../access/totp.ts';
import { renewRecoveryCodes, turnSecondStepOff, turnSecondStepOn } from '../../../service/second-step.ts';
import { readForm } from '../../body.ts';
import type { Http } from '../../http.ts';
import { type FormEnd, handleForm, redirectSaying } from '../frame/handle-form.ts';
import { SECOND_STEP } from '../frame/page.tsx';
import { When } from '../parts/data-table.tsx';
import {
  Button,
  ButtonLink,
  CopyLine,
  CurrentPassword,
  Field,
  Form,
  TextArea,
  Username,
} from '../parts/form.tsx';
import { ACCOUNTS, sendAdminPage } from './office.tsx';

const HEAD = { current: ACCOUNTS, title: 'Second step' } as const;

/** The owner's second step: the form that turns it on, else those that make new recovery codes and turn it off. */
export function showSecondStep(http: Http, owner: SessionPrincipal, end: FormEnd<string> = {}): Response {
  const { refused = null, said = null, typed = '' } = end;
  const step = http.stall.store.findSecondStep(owner.accountId);
  // After a refusal the same secret: it is in the app already.
  const secret = isTotpSecret(typed) ? typed : mintTotpSecret();
  const lead =
    'After your password you type a code from an app on your phone. A stolen password alone opens nothing.';
  return sendAdminPage(
    http,
    owner,
    { ...HEAD, lead, refused, said },
    step === null ? (
      <TurnOn
        secret={secret}
        uri={totpUri(secret, http.stall.manifest().name, owner.email)}
        email={owner.email}
      />
    ) : (
      <>
        <p>
          On since <When at={step.createdAt} />. Recovery codes left: {step.recoveryCodes}.
        </p>
        <section class="part">
          <h2>New recovery codes</h2>
          <Form action={`${SECOND_STEP}/renew`} label="New recovery codes">
            <Code hint="From your app, or a recovery code. The codes that you have stop working." />
            <Button kind="quiet">Make ten new ones</Button>
          </Form>
        </section>
        <section class="part">
          <h2>Turn it off</h2>
          <Form action={`${SECOND_STEP}/off`} label="Turn it off">
            <Username email={owner.email} />
            <CurrentPassword label="Password" name="password" />
            <Code hint="From your app, or a recovery code." />
            <Button kind="danger">Turn the second step off</Button>
          </Form>
        </section>
      </>
    ),
  );
}

const Code = ({ hint }: { readonly hint: string }) => (
  <Field label="Code" name="code" hint={hint} autocomplete="one-time-code" required />
);

function TurnOn({ secret, uri, email }: Readonly<Record<'secret' | 'uri' | 'email', string>>) {
  const { data, size } = encode(uri, { border: 4 });
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <>
      <p>
        Read this picture with your app, or <a href={uri}>open it on this device</a>.
      </p>
      <svg
        viewBox={`0 0 ${size} ${size}`}
        width="240"
        height="240"
        role="img"
        aria-label="QR code for your app"
      >
        <rect width={size} height={size} fill="#fff" />
        <path d={dark.join('')} fill="#000" />
      </svg>
      <CopyLine label="Or type this secret" text={secret} />
      <Form action={`${SECOND_STEP}/on`} label="Turn it on">
        <input type="hidden" name="secret" value={secret} />
        <Username email={email} />
        <CurrentPassword label="Password" name="password" />
        <Code hint="Six digits, from your app" />
        <Button>Turn it on</Button>
      </Form>
      <p class="quiet">All other browsers are signed out. Keys and agents go on as before.</p>
    </>
  );
}

/** Turns the second step on or off, or makes new recovery codes. */
export async function changeSecondStep(
  http: Http,
  request: Request,
  owner: SessionPrincipal,
  act: 'on' | 'renew' | 'off',
) {
  const { stall } = http;
  const form = await readForm(request);
  const secret = form.text('secret');
  const address = http.budgets.addressOf(request).key;
  const proof = { code: form.text('code'), password: form.text('password'), address };
  return handleForm(
    async () => {
      if (act === 'on') return sendCodes(http, owner, await turnSecondStepOn(stall, owner, secret, proof));
      if (act === 'renew') return sendCodes(http, owner, await renewRecoveryCodes(stall, owner, proof));
      await turnSecondStepOff(stall, owner, proof);
      return redirectSaying(SECOND_STEP, 'second-step-off');
    },
    (refused) => showSecondStep(http, owner, { refused, typed: secret }),
  );
}

/** Shows recovery codes, this once. */
const sendCodes = (http: Http, owner: SessionPrincipal, codes: readonly string[]): Response =>
  sendAdminPage(
    http,
    owner,
    {
      ...HEAD,
      title: 'Your recovery codes',
      lead: 'Each opens your account once, after the password, without your phone. They are shown only now: print them, or keep them in a password manager.',
    },
    <section class="secret stack">
      <TextArea label="Recovery codes" name="codes" value={codes.join('\n')} rows={codes.length} isFixed />
      <ButtonLink href={SECOND_STEP}>I have kept them</ButtonLink>
    </section>,
  );
