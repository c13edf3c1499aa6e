import { SETTINGS } from '../config/config.ts';

/**
 * All settings that are flags of `serve`. `engine`, `oauth-documents` and `secrets-key-file` are set only by their variables.
 */
const ABOUT = {
  content: ['DIR', 'where the items are'],
  data: ['DIR', 'where accounts, logs and compiled items are kept'],
  host: ['HOST', 'the address to listen on'],
  port: ['PORT', 'the port to listen on; 0 is any free one'],
  'base-url': ['URL', 'the public origin, without a path'],
  budget: ['N/SECONDS', 'requests of install and library for each address, or off'],
  'route-budget': ['N/SECONDS', 'requests of other routes for each account or address, or off'],
  'trusted-proxies': ['CIDR,…', 'proxies whose X-Forwarded-For is trusted'],
  'proxy-user': ['HEADER', 'the header by which a proxy signs in'],
  'proxy-sign-up': ['on|off', 'whether it makes accounts'],
  'proxy-sign-out': ['URL', 'where the proxy signs out'],
  'max-files': ['N', 'the most files an item may hold'],
  'max-bytes': ['N', 'the most bytes an item may hold'],
  'most-push': ['N', 'the most bytes of one push'],
  'backup-every': ['TIME', 'make backups on schedule, such as 24h'],
  'backup-dir': ['DIR', 'the folder for backups'],
  'backup-keep': ['N', 'how many backups that folder keeps'],
  'keep-logs': ['TIME', 'delete log rows older than this, such as 365d'],
  'keep-editions': ['N', 'how many editions of an item can be had'],
  'keep-bytes': ['N', 'the most bytes of all superseded editions'],
  log: ['json|pretty', 'the form of log lines; pretty at a terminal'],
} as const satisfies Readonly<
  Record<
    Exclude<keyof typeof SETTINGS, 'engine' | 'oauth-documents' | 'secrets-key-file'>,
    readonly [value: string, about: string]
  >
>;

type Name = keyof typeof ABOUT;

export const ALL = Object.keys(ABOUT) as readonly Name[];

export function settings<Asked extends Name>(...names: readonly Asked[]) {
  const lines = names.map((name) => {
    const [[value, about], [variable, fallback]] = [ABOUT[name], SETTINGS[name]];
    return [`--${name} ${value}`, `${about} (${fallback === '' ? '' : `default ${fallback}; `}${variable})`];
  });
  return Object.fromEntries(lines) as Readonly<Record<`--${Asked}`, string>>;
}
