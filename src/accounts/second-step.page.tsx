import type { Office } from '../words/office.ts';
import { officeOf, useOffice } from '../platform/site/words.tsx';
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
import { ACCOUNTS } from '../platform/site/linked-pages.ts';

const HEAD = (w: Office) =>
  ({
    current: ACCOUNTS,
    title: w.secondStep.title,
    lead: w.secondStep.lead,
  }) as const;

export function showSecondStep(http: Http, owner: SessionPrincipal, end: FormEnd<string> = {}): Response {
  const w = officeOf(http, owner);
  const { refused = null, said = null, typed = '' } = end;
  const step = http.stall.store.findSecondStep(owner.accountId);
  // A refused form shows the same secret again: the app has it already.
  const secret = isTotpSecret(typed) ? typed : mintTotpSecret();
  const hint = step === null ? w.secondStep.firstCodeHint : w.secondStep.codeHint;
  return sendAdminPage(
    http,
    owner,
    { ...HEAD(w), refused, said },
    <>
      {step === null ? (
        <Secret secret={secret} uri={totpUri(secret, http.stall.manifest().name, owner.email)} />
      ) : (
        <p>{w.secondStep.state({ when: <When at={step.createdAt} />, left: step.left })}</p>
      )}
      <Form action={SECOND_STEP} label={HEAD(w).title}>
        {step === null && <input type="hidden" name="secret" value={secret} />}
        <Username email={owner.email} />
        <CurrentPassword label={w.secondStep.password} name="password" />
        <Field label={w.common.code} name="code" hint={hint} {...ONE_TIME_CODE} />
        <div class="actions">
          {step === null ? button('on', w.secondStep.onButton) : button('renew', w.secondStep.renewButton)}
          {step !== null && button('off', w.secondStep.offButton)}
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
  const w = useOffice();
  const { data, size } = encode(uri, { border: 4 });
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <>
      <p>{w.secondStep.qrLead({ link: (text) => <a href={uri}>{text}</a> })}</p>
      <svg
        viewBox={`0 0 ${size} ${size}`}
        width="240"
        height="240"
        role="img"
        aria-label={w.secondStep.qrCode}
      >
        <rect width={size} height={size} fill="#fff" />
        <path d={dark.join('')} />
      </svg>
      <CopyLine label={w.secondStep.secretLabel} text={secret} />
    </>
  );
}

export async function sendSecondStep(http: Http, request: Request, owner: SessionPrincipal) {
  const w = officeOf(http, owner);
  const form = await readForm(request);
  const { act, ...typed } = form.trimmed('act', 'code', 'secret');
  const address = http.budgets.addressOf(request).key;
  const proof = { ...typed, password: form.text('password'), address };
  return handleForm(
    async () => {
      const known = act === 'on' || act === 'off' ? act : 'renew';
      const codes = await changeSecondStep(http.stall, owner, known, proof);
      if (known === 'off') return redirectSaying(SECOND_STEP, 'second-step-off');
      const lead = w.secondStep.codesLead;
      return sendAdminPage(
        http,
        owner,
        { ...HEAD(w), title: w.secondStep.codesTitle, lead },
        <section class="secret stack">
          <pre>{codes.join('\n')}</pre>
          <ButtonLink href={SECOND_STEP}>{w.secondStep.codesButton}</ButtonLink>
        </section>,
      );
    },
    (refused) => showSecondStep(http, owner, { refused, typed: typed.secret }),
  );
}
