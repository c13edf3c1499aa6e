import type { Log } from '../platform/base/log.ts';
import { Refusal } from '../platform/base/refusal.ts';
import type { Store, Stall } from './stall.ts';
import type { ServerStart } from '../asking/log.ts';
import { formatModelConfig } from '../platform/config/model.ts';
import { formatEmbeddingsConfig } from '../platform/config/embeddings.ts';
import { resolve } from 'node:path';
import { formatNetworks } from '../platform/http/address.ts';
import type { Config } from '../platform/config/config.ts';
import type { ServerNote } from '../platform/store/server-note.ts';
import { lostSecrets, type Settings } from '../platform/store/settings.ts';
import { VERSION } from '../platform/base/version.ts';
import type { Diagnosis } from './doctor/doctor.ts';
import { startChore } from '../platform/base/chores.ts';

/** The milliseconds between a failed write and the next try. */
const RETRY = 1000;

/**
 * Records that the server started. If the disk cannot be written, the server runs without writing, and tries again each second;
 * once it succeeds, all works without a restart, and `onWritable` is called.
 */
export async function recordServerStart(store: Store, start: ServerStart, log: Log, onWritable: () => void) {
  try {
    await store.write.addServerStart(start);
    return { close: () => {} };
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === 'storage-unavailable')) throw error;
    log({
      event: 'storage-unavailable',
      message: `${error.message}. Until then the stall serves what it has, and refuses whatever must be written down`,
    });
  }
  let isRecorded = false;
  const retry = async (): Promise<void> => {
    if (isRecorded) return;
    await store.write.addServerStart(start);
    isRecorded = true;
    chore.close();
    log({ event: 'storage-available', message: 'The database can be written again' });
    onWritable();
  };
  const chore = startChore(RETRY, retry, () => {});
  return chore;
}

/** Describes a server that listens on `port`, for commands beside it; `startedAt` is in milliseconds since 1970. */
export const describeServer = (config: Config, port: number, startedAt: number): ServerNote => ({
  pid: process.pid,
  uid: process.getuid?.() ?? null,
  version: VERSION,
  startedAt,
  settings: {
    content: resolve(config.content),
    host: config.host,
    port: String(port),
    'base-url': config.baseUrl ?? '',
    'trusted-proxies': formatNetworks(config.trustedProxies),
    'proxy-user': config.proxySignIn?.header ?? '',
    ...(config.insecureHttp ? { BOOKSTALL_INSECURE_HTTP: '1' } : {}),
    ...(config.secretsKey === null ? {} : { BOOKSTALL_SECRETS_KEY_FILE: resolve(config.secretsKey) }),
    'max-files': String(config.limits.files),
    'max-bytes': String(config.limits.bytes),
    // Empty if no variable names the engine: then a setting of the office does.
    BOOKSTALL_ENGINE: config.model?.engine ?? String(config.given['BOOKSTALL_ENGINE'] ?? ''),
    ...(config.model === null ? {} : formatModelConfig(config.model)),
    ...(config.embeddings === null ? {} : formatEmbeddingsConfig(config.embeddings)),
  },
  proxies: {},
});

/** Logs that secrets of the settings cannot be decrypted, as after a restore without their key. */
export function logLostSecrets(settings: Settings, log: Log): void {
  const lost = settings.lost().length;
  const { sentence, remedy } = lostSecrets(lost);
  if (lost > 0) log({ event: 'secrets-lost', message: `${sentence}. ${remedy}` });
}

/** Diagnoses the stall that this process serves. Loads the doctor's code at the first call. */
export async function examineHealth(stall: Stall): Promise<readonly Diagnosis[]> {
  const { servingSubject } = await import('./doctor/subject.ts');
  const { examineServing } = await import('./doctor/doctor.ts');
  const { store, settings } = stall;
  return examineServing(servingSubject(stall, { ...store, countLost: () => settings.lost().length }));
}
