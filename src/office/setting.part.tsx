import { OfficeRefusal } from '../platform/base/told.ts';
import { officeOf, useOffice } from '../platform/site/words.tsx';
import { FieldRefusal } from '../platform/site/field-refusal.ts';
import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import type { Http } from '../platform/http/http.ts';
import { redirect } from '../platform/http/answer.ts';
import { SELLING } from '../platform/site/linked-pages.ts';
import { Button, Choices } from '../platform/site/form.tsx';
import type { FlashWord, FormEnd } from '../platform/site/handle-form.ts';
import { sendAdminPage } from './office.part.tsx';

export const SETTINGS_PATHS = {
  shop: '/admin/settings',
  bundles: '/admin/settings/bundles',
  selling: SELLING,
  mail: '/admin/settings/mail',
  answers: '/admin/settings/answers',
  backups: '/admin/settings/backups',
  helpers: '/admin/settings/helpers',
} as const;

type SettingsPage = Pick<FormEnd, 'said' | 'refused'> & {
  readonly current: keyof typeof SETTINGS_PATHS;
  /** The title; by default the page's name. */
  readonly title?: string;
  readonly lead: ComponentChildren;
  /** Whether a refusal is shown beside its field and not at the top; by default, whether it is a `FieldRefusal`. */
  readonly isBeside?: boolean;
};

export const sendSettings = (
  http: Http,
  owner: SessionPrincipal,
  { refused, isBeside = refused?.refusal instanceof FieldRefusal, current, title, ...page }: SettingsPage,
  body: ComponentChildren,
): Response => {
  const w = officeOf(http, owner);
  const status = refused?.status ?? 200;
  const head = {
    ...page,
    title: title ?? w.settings.names[current],
    current: SETTINGS_PATHS.shop,
    status,
    ...(isBeside ? refused && { headers: refused.headers } : { refused }),
  };
  const choices = Object.entries(SETTINGS_PATHS).map(([name, href]) => ({
    href,
    name: w.settings.names[name as keyof typeof SETTINGS_PATHS],
    isChosen: name === current,
  }));
  return sendAdminPage(
    http,
    owner,
    head,
    <>
      <Choices label={w.settings.title} choices={choices} current="page" />
      <div class={page.said === 'saved' ? 'setting-list saved' : 'setting-list'}>{body}</div>
    </>,
  );
};

/** Redirects to a setting that was just saved. `said` tells how the reload of the content ended, if the setting needed one. */
export const redirectToSetting = (path: string, name: string, said: FlashWord = 'saved') =>
  redirect(`${path}?said=${said === 'reindexed' ? 'saved' : said}#${name}`);

type SettingProps = {
  readonly action: string;
  readonly name: string;
  /** Names the form for screen readers. */
  readonly label: string;
  readonly save?: string;
  readonly hasFile?: boolean;
  /** The present values, which `refuseChanged` compares. */
  readonly present?: readonly string[];
  readonly children: ComponentChildren;
};

/** One setting, or several that only make sense together, with the button that saves them. */
export const Setting = ({ action, name, label, save, hasFile = false, present, children }: SettingProps) => {
  const w = useOffice();
  return (
    <form
      class="setting"
      id={name}
      action={action}
      method="post"
      encType={hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'}
      aria-label={label}
      data-keep
    >
      <input type="hidden" name="setting" value={name} />
      {present && <input type="hidden" name="was" value={markOf(present)} />}
      {children}
      <Button kind="quiet">{save ?? w.common.save}</Button>
    </form>
  );
};

const markOf = (values: readonly string[]): string => Bun.hash(JSON.stringify(values)).toString(36);

/**
 * Refuses to overwrite values that changed since the form was made, and names the present ones. `was` is the form's hash of the
 * values.
 */
export function refuseChanged(was: string, present: readonly string[]): void {
  if (was === '' || was === markOf(present)) return;
  const now = shorten(present.filter((one) => one !== '').join(', '));
  throw new OfficeRefusal('invalid-request', (r) => r.settingChanged({ now }));
}

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

type FixedProps = { readonly label: string; readonly source: string; readonly children: ComponentChildren };

/** A setting that a flag, a variable or a file fixes, so that the office only shows it. */
export const Fixed = ({ label, source, children }: FixedProps) => {
  const w = useOffice();
  return (
    <div class="field setting">
      <strong>{label}</strong>
      <div class="value" dir="auto">
        {children}
      </div>
      <p class="hint">{w.settings.fixedHint({ source })}</p>
    </div>
  );
};
