import { openSecretBox, secretsKeyFile } from '../store/secret-box.ts';
import { readSettings, type Settings } from '../store/settings.ts';
import { type Config, readBackupPlan } from './config.ts';
import { type KeptMailServer, readMailConfig, SMTP_URL, smtpUrl } from './mail.ts';
import { readModelConfig } from './model.ts';
import { EXTRACTIVE, isEngineName } from './model-engines.ts';
import { withOfficeSales } from './sales.ts';
import type { Environment } from './secret-variable.ts';

/** Begins the names of settings that have an environment variable too, as in `variable.BOOKSTALL_MODEL`. */
const PREFIX = 'variable.';

export const variableSetting = (variable: string): string => PREFIX + variable;

type Reads = Pick<Settings, 'value' | 'under' | 'secret' | 'text'>;

export const MAIL_SERVER = 'mail.server';
export const MAIL_PASSWORD = 'mail.password';

/** Returns the name that sets a variable, so that the office cannot: the variable or `NAME_FILE`; null if neither is set. */
export const setBy = ({ given }: Pick<Config, 'given'>, variable: string): string | null =>
  [variable, `${variable}_FILE`].find((name) => given[name] !== undefined && given[name] !== '') ?? null;

/**
 * Returns the variables that the office set, with secrets decrypted, and over them those that are given. `changes` are new
 * values of the office to try before they are saved.
 */
export const variablesOf = (
  { given }: Pick<Config, 'given'>,
  settings: Reads,
  changes: Environment = {},
): Environment => {
  const kept = settings.under(PREFIX).map(([name]) => [name, settings.text(PREFIX + name) ?? ''] as const);
  const all = { ...Object.fromEntries(kept), ...mailVariables(settings), ...changes };
  const free = Object.entries(all).filter(([name]) => setBy({ given }, name) === null);
  return { ...Object.fromEntries(free), ...given };
};

/** The variable with the mail server's address from the office; none without a server, or without the password it needs. */
function mailVariables(settings: Reads): Environment {
  const server = settings.value(MAIL_SERVER) as KeptMailServer | undefined;
  const password = settings.secret(MAIL_PASSWORD);
  if (server === undefined || (server.user !== '' && password === null)) return {};
  return { [SMTP_URL]: smtpUrl(server, password ?? '') };
}

/**
 * Returns a configuration whose mail, model, sales and backups follow the office's settings, unless a flag or variable sets
 * them.
 */
export function createLiveConfig(config: Config, settings: Reads & Pick<Settings, 'version'>): Config {
  const now = <Value>(read: (variables: Environment) => Value): (() => Value) => {
    let known: { readonly version: number; readonly value: Value } | null = null;
    return () => {
      if (known?.version !== settings.version()) {
        const value = read(variablesOf(config, settings));
        // A value that did not change stays the same object, so that what was made from it is kept.
        const isSame = known !== null && Bun.deepEquals(known.value, value);
        known = { version: settings.version(), value: isSame ? known!.value : value };
      }
      return known.value;
    };
  };
  const hasAny = (): boolean => settings.under('').length > 0;
  const mail = now(
    (variables) => config.mail ?? (hasAny() ? sound((report) => readMailConfig(variables, report)) : null),
  );
  const model = now((variables) => config.model ?? (hasAny() ? readModel(variables) : null));
  const sales = now((variables) => (hasAny() ? withOfficeSales(config.sales, variables) : config.sales));
  const backup = now(
    (variables) =>
      (hasAny() ? sound(() => readBackupPlan({ data: config.data }, variables)) : null) ?? config.backup,
  );
  return {
    ...config,
    get mail() {
      return mail();
    },
    get model() {
      return model();
    },
    get sales() {
      return sales();
    },
    get backup() {
      return backup();
    },
  };
}

/** The configuration of a command that runs beside the server: the office's settings count there too. */
export function besideServer(config: Config): Config {
  const box = openSecretBox(secretsKeyFile(config.data, config.secretsKey));
  const settings = readSettings(config.data, box);
  return settings === null ? config : createLiveConfig(config, { ...settings, version: () => 0 });
}

/** Reads a part of the configuration; null if it has a problem, such as a lost secret. */
function sound<Value>(read: (report: (problem: string) => void) => Value): Value | null {
  let isSound = true;
  const value = read(() => (isSound = false));
  return isSound ? value : null;
}

function readModel(variables: Environment): Config['model'] {
  const engine = String(variables['BOOKSTALL_ENGINE'] ?? EXTRACTIVE);
  return isEngineName(engine) && engine !== EXTRACTIVE
    ? sound((report) => readModelConfig(engine, variables, report))
    : null;
}
