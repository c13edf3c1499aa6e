import { encode } from 'uqr';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { isTotpSecret, mintTotpSecret, totpUri } from './totp.rule.ts';
import { changeSecondStep } from './second-step.ts';
import { readForm } from '../platform/http/body.ts';
import type { Http } from './stall.ts';
import { type FormEnd, handleForm, redirectSaying } from '../platform/site/handle-form.ts';
import { SECOND_STEP } from '../platform/site/page.tsx';
import { When } from '../platform/site/data-table.tsx';
import {
  Button,
  ButtonLink,
  CopyLine,
  CurrentPassword,
  Field,
  Form,
  ONE_TIME_CODE,
  Username,
} from '../platform/site/form.tsx';
import { sendAdminPage } from '../office/office.part.tsx';
import { ACCOUNTS } from '../platform/site/paths.ts';

const HEAD = {
  current: ACCOUNTS,
  title: 'Second step',
  lead: 'After your password you type a code from an app on your phone: a stolen password alone opens nothing. Each change signs out your other browsers. Keys and agents go on as before.',
} as const;

export function showSecondStep(http: Http, owner: SessionPrincipal, end: FormEnd<string> = {}): Response {
  const { refused = null, said = null, typed = '' } = end;
  const step = http.stall.store.findSecondStep(owner.accountId);
  // A refused form keeps its secret, which is in the owner's app already.
  const secret = isTotpSecret(typed) ? typed : mintTotpSecret();
  const hint = step === null ? 'Six digits from the app' : 'From the app, or a recovery code';
  return sendAdminPage(
    http,
    owner,
    { ...HEAD, refused, said },
    <>
      {step === null ? (
        <Secret secret={secret} uri={totpUri(secret, http.stall.manifest().name, owner.email)} />
      ) : (
        <p>
          On since <When at={step.createdAt} />. Recovery codes left: {step.left}.
        </p>
      )}
      <Form action={SECOND_STEP} label={HEAD.title}>
        {step === null && <input type="hidden" name="secret" value={secret} />}
        <Username email={owner.email} />
        <CurrentPassword label="Password" name="password" />
        <Field label="Code" name="code" hint={hint} {...ONE_TIME_CODE} />
        <div class="actions">
          {step === null ? button('on', 'Turn it on') : button('renew', 'Make new recovery codes')}
          {step !== null && button('off', 'Turn it off')}
        </div>
      </Form>
    </>,
  );
}

const button = (act: 'on' | 'renew' | 'off', words: string) => (
  <Button name="act" value={act} kind={act === 'off' ? 'danger' : 'primary'}>
    {words}
  </Button>
);

function Secret({ secret, uri }: { readonly secret: string; readonly uri: string }) {
  const { data, size } = encode(uri, { border: 4 });
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <>
      <p>
        Read this picture with the app, or <a href={uri}>open it on this device</a>.
      </p>
      <svg viewBox={`0 0 ${size} ${size}`} width="240" height="240" role="img" aria-label="QR code">
        <rect width={size} height={size} fill="#fff" />
        <path d={dark.join('')} />
      </svg>
      <CopyLine label="Or type this secret into it" text={secret} />
    </>
  );
}

export async function sendSecondStep(http: Http, request: Request, owner: SessionPrincipal) {
  const form = await readForm(request);
  const { act, ...typed } = form.trimmed('act', 'code', 'secret');
  const address = http.budgets.addressOf(request).key;
  const proof = { ...typed, password: form.text('password'), address };
  return handleForm(
    async () => {
      const known = act === 'on' || act === 'off' ? act : 'renew';
      const codes = await changeSecondStep(http.stall, owner, known, proof);
      if (known === 'off') return redirectSaying(SECOND_STEP, 'second-step-off');
      const lead =
        'Each signs you in once, after the password, without your phone. They are shown only now: keep them where you keep passwords, or print them.';
      return sendAdminPage(
        http,
        owner,
        { ...HEAD, title: 'Your recovery codes', lead },
        <section class="secret stack">
          <pre>{codes.join('\n')}</pre>
          <ButtonLink href={SECOND_STEP}>I have kept them</ButtonLink>
        </section>,
      );
    },
    (refused) => showSecondStep(http, owner, { refused, typed: typed.secret }),
  );
}
