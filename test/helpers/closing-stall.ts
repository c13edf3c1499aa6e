// A stall that does everything it can in the background, is closed, and must then let its process end by itself.
import { openApp } from '../../src/app.ts';
import { defaultLimits } from '../../src/platform/base/item-limits.ts';
import { NO_SALES } from '../../src/platform/config/sales.ts';

const [content = '', data = '', backups = ''] = process.argv.slice(2);
const app = await openApp(
  {
    ...{ content, data, host: '127.0.0.1', port: 0, baseUrl: null, budget: null, routeBudget: null },
    ...{
      trustedProxies: [],
      proxySignIn: null,
      oauthDocuments: true,
      secretsKey: null,
      limits: defaultLimits,
      keepLogs: 86_400_000,
      model: null,
      embeddings: null,
      sales: NO_SALES,
    },
    backup: { every: 86_400_000, directory: backups, keep: 1 },
    keepEditions: { editions: 5, bytes: 2 ** 31 },
    mostPush: 1024 ** 2,
    mail: {
      host: '127.0.0.1',
      port: 9,
      encryption: 'none',
      login: null,
      from: 'a@example.org',
      tellsSales: false,
      pause: 0,
    },
    ...{ watch: true, demo: false, insecureHttp: false, log: 'json', given: {} },
  },
  { log: () => {} },
);
await app.publish();
for (const path of process.argv.slice(5)) {
  const response = await fetch(`${app.origin}${path}`);
  await response.bytes();
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}`);
}
await app.close();
console.log('closed');
