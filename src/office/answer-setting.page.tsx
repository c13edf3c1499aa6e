import { OfficeRefusal } from '../platform/base/told.ts';
import type { Office } from '../words/office.ts';
import { officeOf, useOffice } from '../platform/site/words.tsx';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { proofOf } from '../accounts/second-step.ts';
import { ProofField } from '../accounts/proof.part.tsx';
import { setBy, variableSetting, variablesOf } from '../platform/config/live-config.ts';
import { MODEL_SETTINGS, readModelConfig } from '../platform/config/model.ts';
import { EXTRACTIVE, isEngineName, MODEL_ENGINES } from '../platform/config/model-engines.ts';
import { Refusal } from '../platform/base/refusal.ts';
import type { NewSettings } from '../platform/store/settings.ts';
import { redirect } from '../platform/http/answer.ts';
import type { Form as SentForm } from '../platform/http/body.ts';
import { Button, Checkbox, Field, Form, Select } from '../platform/site/form.tsx';
import { type FormEnd, handleForm, handleSentForm, redirectSaying } from '../platform/site/handle-form.ts';
import { errorBeside, FieldRefusal } from '../platform/site/field-refusal.ts';
import { Fixed, refuseChanged, sendSettings, Setting, SETTINGS_PATHS } from './setting.part.tsx';
import { proveWith } from './setting-proof.ts';
import type { Http, Stall } from './stall.ts';

const PATH = SETTINGS_PATHS.answers;
const ENGINE = 'BOOKSTALL_ENGINE';
const KEY = MODEL_SETTINGS['model-key'];

const MODEL = ['model-url', 'model', 'context-tokens'] as const;

const CAPS = ['daily-questions', 'daily-tokens'] as const;

/** `GET /admin/settings/answers`: shows who answers readers' questions, and the caps on what that may cost. */
export function showAnswerSettings(
  http: Http,
  owner: SessionPrincipal,
  { said, refused, typed }: FormEnd<SentForm>,
): Response {
  const w = officeOf(http, owner);
  const { stall } = http;
  const { model } = stall.config;
  return sendSettings(
    http,
    owner,
    {
      current: 'answers',
      lead:
        model === null
          ? w.answerSettings.quotesLead
          : w.answerSettings.modelLead({ model: model.model, url: model.url }),
      said,
      refused,
    },
    <>
      <section>
        <h2>{w.answerSettings.engine}</h2>
        <Model stall={stall} owner={owner} refused={refused} typed={typed} />
        {model !== null && (
          <Form action={`${PATH}/test`}>
            <p class="hint">{w.answerSettings.testHint}</p>
            <Button kind="quiet">{w.answerSettings.testButton}</Button>
          </Form>
        )}
      </section>
      <section>
        <h2>{w.answerSettings.capsTitle}</h2>
        {CAPS.map((name) => (
          <Cap stall={stall} name={name} refused={refused} typed={typed} />
        ))}
      </section>
    </>,
  );
}

type PartProps = { readonly stall: Stall } & Pick<FormEnd<SentForm>, 'refused' | 'typed'>;

/** The value that the office has saved for a variable; '' if it has none. */
const keptValue = ({ settings }: Stall, variable: string): string =>
  settings.text(variableSetting(variable)) ?? '';

const presentModel = (stall: Stall): readonly string[] =>
  [ENGINE, ...SHOWN.map((name) => MODEL_SETTINGS[name])].map((variable) => keptValue(stall, variable));

function Model({ stall, owner, refused, typed }: PartProps & { readonly owner: SessionPrincipal }) {
  const w = useOffice();
  const source = setBy(stall.config, ENGINE);
  const engine = stall.config.model?.engine ?? EXTRACTIVE;
  if (source !== null)
    return (
      <Fixed label={w.answerSettings.engine} source={source}>
        {w.answerSettings.engines[engine]}
      </Fixed>
    );
  const isTyped = typed?.text('setting') === 'model';
  const valueOf = (variable: string): string => (isTyped ? typed.text(variable) : keptValue(stall, variable));
  const ending = stall.settings.endingOf(variableSetting(KEY));
  return (
    <Setting action={PATH} name="model" label={w.answerSettings.engine} present={presentModel(stall)}>
      <Select
        label={w.answerSettings.engine}
        name={ENGINE}
        options={Object.entries(w.answerSettings.engines)}
        value={valueOf(ENGINE) || EXTRACTIVE}
      />
      {MODEL.map((name) => {
        const { label, hint } = w.answerSettings.fields[name];
        const variable = MODEL_SETTINGS[name];
        return (
          setFixed(w, stall, variable, label) ?? (
            <Field
              label={label}
              name={variable}
              value={valueOf(variable)}
              error={errorBeside(refused, variable)}
              hint={hint}
              autocomplete="off"
            />
          )
        );
      })}
      <Select
        label={w.answerSettings.protocol}
        name={MODEL_SETTINGS['model-protocol']}
        value={valueOf(MODEL_SETTINGS['model-protocol']) || 'messages'}
        options={Object.entries(w.answerSettings.protocols)}
        error={errorBeside(refused, MODEL_SETTINGS['model-protocol'])}
      />
      <Field
        label={w.answerSettings.key}
        name={KEY}
        type="password"
        autocomplete="new-password"
        error={errorBeside(refused, KEY)}
        hint={ending === null ? w.answerSettings.keyHint : w.answerSettings.keptHint({ ending })}
      />
      <Checkbox
        label={w.answerSettings.unencrypted}
        name={MODEL_SETTINGS['model-http']}
        checked={valueOf(MODEL_SETTINGS['model-http']) !== ''}
      />
      <Checkbox
        label={w.answerSettings.fallback}
        name={MODEL_SETTINGS.fallback}
        checked={valueOf(MODEL_SETTINGS.fallback) !== '' && valueOf(MODEL_SETTINGS.fallback) !== 'none'}
      />
      <ProofField proof={proofOf(stall, owner)} error={errorBeside(refused, 'proof')} />
    </Setting>
  );
}

/** Shows a setting that an environment variable fixes; null if none does. */
function setFixed(w: Office, { config }: Stall, variable: string, label: string) {
  const source = setBy(config, variable);
  return (
    source && (
      <Fixed label={label} source={source}>
        {source === variable ? String(config.given[variable]) : w.answerSettings.inFile}
      </Fixed>
    )
  );
}

function Cap({ stall, name, refused, typed }: PartProps & { readonly name: (typeof CAPS)[number] }) {
  const w = useOffice();
  const { label, hint } = w.answerSettings.fields[name];
  const variable = MODEL_SETTINGS[name];
  const isTyped = typed?.text('setting') === name;
  return (
    setFixed(w, stall, variable, label) ?? (
      <Setting action={PATH} name={name} label={label}>
        <Field
          label={label}
          name={variable}
          value={isTyped ? typed.text(variable) : keptValue(stall, variable)}
          error={isTyped ? errorBeside(refused, variable) : null}
          hint={hint}
          autocomplete="off"
        />
      </Setting>
    )
  );
}

export async function saveAnswerSettings(http: Http, request: Request, owner: SessionPrincipal) {
  const { stall } = http;
  return handleSentForm(
    request,
    async (form) => {
      const cap = CAPS.find((one) => one === form.text('setting'));
      if (cap !== undefined) {
        await stall.settings.save(owner, `answers.${cap}`, readCap(stall, cap, form));
        return redirectSaying(PATH, 'saved');
      }
      const source = setBy(stall.config, ENGINE);
      if (source !== null)
        throw new OfficeRefusal('invalid-request', (r) => r.engineFixed({ setBy: source }));
      refuseChanged(form.text('was'), presentModel(stall));
      await proveWith(http, request, owner, form);
      await stall.settings.save(owner, 'answers', readModel(stall, form));
      return redirectSaying(PATH, 'saved');
    },
    (end) => showAnswerSettings(http, owner, end),
  );
}

/** The checkboxes of the form, each with the value that its variable gets if it is ticked. */
const BOXES = { 'model-http': 'allow', fallback: EXTRACTIVE } as const;

const SHOWN = [...MODEL, 'model-protocol'] as const;

function readModel(stall: Stall, form: SentForm): NewSettings {
  const engine = form.text(ENGINE);
  const texts = SHOWN.map((name) => [MODEL_SETTINGS[name], form.text(MODEL_SETTINGS[name]).trim()]);
  const boxes = Object.entries(BOXES).map(([name, value]) => {
    const variable = MODEL_SETTINGS[name as keyof typeof BOXES];
    return [variable, form.text(variable) === 'on' ? value : ''];
  });
  const given = Object.fromEntries([[ENGINE, engine], ...texts, ...boxes]) as Record<string, string>;
  const key = form.text(KEY).trim();
  if (key === '') refuseMovedKey(stall, given);
  refuseProblems(stall, key === '' ? given : { ...given, [KEY]: key });
  const values = Object.fromEntries(
    Object.entries(given).map(([variable, value]) => [
      variableSetting(variable),
      value === '' ? null : value,
    ]),
  );
  return key === '' ? { values } : { values, secrets: { [variableSetting(KEY)]: key } };
}

/** Refuses to send the saved key to another address, engine or protocol than it was typed for. */
function refuseMovedKey(stall: Stall, given: Readonly<Record<string, string>>): void {
  if (stall.settings.endingOf(variableSetting(KEY)) === null || given[ENGINE] === EXTRACTIVE) return;
  const goesTo = [ENGINE, MODEL_SETTINGS['model-url'], MODEL_SETTINGS['model-protocol']];
  if (goesTo.every((variable) => (given[variable] ?? '') === keptValue(stall, variable))) return;
  throw new FieldRefusal(KEY, new OfficeRefusal('invalid-request', (r) => r.modelKeyElsewhere));
}

/** Refuses a model that the environment variables would refuse, with the error beside the field of its variable. */
function refuseProblems(stall: Stall, changes: Readonly<Record<string, string>>): void {
  const engine = changes[ENGINE] ?? '';
  if (!isEngineName(engine))
    throw new FieldRefusal(ENGINE, new OfficeRefusal('invalid-request', (r) => r.noEngine));
  if (engine === EXTRACTIVE) return;
  const refuse = (problem: string): never => {
    const [variable = '', sentence = ''] = problem.split(/: (.*)/s);
    throw new FieldRefusal(variable, inOffice(sentence));
  };
  const needsKey = MODEL_ENGINES[engine].requiresKey;
  readModelConfig(engine, variablesOf(stall.config, stall.settings, changes), refuse, { needsKey });
}

/** Rewrites an error about environment variables for this page, which has fields instead. */
const inOffice = (sentence: string): string =>
  sentence
    .replace(
      'set BOOKSTALL_MODEL_HTTP=allow if you own that network',
      'tick the box below if you own that network',
    )
    .replace('set the key in BOOKSTALL_MODEL_KEY', 'type the key in its own field')
    .replace(' with BOOKSTALL_ENGINE=compat', ' at another address')
    .replace(/: set it, or \w+, in the environment/, ': type it');

function readCap(stall: Stall, name: (typeof CAPS)[number], form: SentForm): NewSettings {
  const variable = MODEL_SETTINGS[name];
  const value = form.text(variable).trim();
  const source = setBy(stall.config, variable);
  if (source !== null)
    throw new FieldRefusal(variable, new OfficeRefusal('invalid-request', (r) => r.settingFixed({ source })));
  const variables = { [MODEL_SETTINGS.model]: 'any', [KEY]: 'any', [variable]: value };
  readModelConfig('anthropic', variables, (problem) => {
    throw new FieldRefusal(variable, problem.slice(problem.indexOf(': ') + 2));
  });
  return { values: { [variableSetting(variable)]: value === '' ? null : value } };
}

/**
 * `POST /admin/settings/answers/test`: asks the model a question, and shows what `bookstall doctor` would say of the answer.
 */
export const askTestQuestion = (http: Http, owner: SessionPrincipal): Promise<Response> =>
  handleForm(
    async () => {
      const { model } = http.stall.config;
      if (model === null) return redirect(PATH);
      // Loads the doctor's code here, since hardly any request needs it.
      const { askModel } = await import('./doctor/engine.ts');
      const { status, sentence, remedy } = await askModel(model);
      if (status !== 'ok') throw Refusal.invalid(remedy === null ? sentence : `${sentence}. ${remedy}`);
      return showAnswerSettings(http, owner, { said: `${sentence}.` });
    },
    (refused) => showAnswerSettings(http, owner, { refused }),
  );
