import type { YamlValue } from '../platform/base/field.ts';
import type { Settings } from '../platform/store/settings.ts';
import { keptFile, type OfficeStall, STALL_TEXTS } from './stall-manifest.rule.ts';

/** Begins the names of the settings that stall.yaml could have as well, as in `stall.name`. */
const PREFIX = 'stall.';

export const stallSetting = (key: string): string => PREFIX + key;

export const isStallSetting = (name: string): boolean => name.startsWith(PREFIX);

/**
 * A file that the owner gave in the office: an https address; or its `content`, an image in base64 or Markdown, and a name by
 * its hash.
 */
export type KeptFile = { readonly address: string } | { readonly name: string; readonly content: string };

/**
 * Returns a function that gives what the owner set in the office for keys of stall.yaml: the same object until a setting
 * changes.
 */
export function createOfficeStall(settings: Settings): () => OfficeStall {
  let [version, office] = [-1, readOffice(settings)];
  return () => {
    if (version !== settings.version()) [version, office] = [settings.version(), readOffice(settings)];
    return office;
  };
}

const FILES = ['logo', ...STALL_TEXTS] as const;

export function readOffice(settings: Pick<Settings, 'value' | 'under'>): OfficeStall {
  const files = FILES.flatMap((key) => {
    const kept = settings.value(stallSetting(key)) as KeptFile | undefined;
    return kept === undefined ? [] : [[key, fileOf(kept)] as const];
  });
  const values = new Map<string, YamlValue>();
  const defaults = new Map<string, YamlValue>();
  for (const [name, value] of settings.under(PREFIX)) {
    const [key = '', under] = name.split('.');
    if ((FILES as readonly string[]).includes(key)) continue;
    if (under === undefined) values.set(key, toYaml(value));
    else defaults.set(under, toYaml(value));
  }
  return {
    values: defaults.size === 0 ? values : values.set('defaults', defaults),
    files: Object.fromEntries(files),
  };
}

const fileOf = (kept: KeptFile): { path: string; content: string | null } =>
  'address' in kept
    ? { path: kept.address, content: null }
    : { path: keptFile(kept.name), content: kept.content };

export function toYaml(value: unknown): YamlValue {
  if (Array.isArray(value)) return value.map(toYaml);
  if (typeof value === 'object' && value !== null)
    return new Map(Object.entries(value).map(([key, one]) => [key, toYaml(one)]));
  return String(value);
}
