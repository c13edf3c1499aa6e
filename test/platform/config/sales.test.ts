import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../../src/platform/config/config.ts';
import { DAY } from '../../../src/platform/base/duration.ts';
import { NO_SALES, readSalesConfig, readSetupApi, takesSales } from '../../../src/platform/config/sales.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';

const PING = 'a'.repeat(32);

function read(environment: Readonly<Record<string, string>>, isDemo = false) {
  const problems: string[] = [];
  const config = readSalesConfig(environment, isDemo, (problem) => problems.push(problem));
  return { config, problems };
}

test('without settings nobody can sell, and nothing is wrong', () => {
  expect(read({})).toEqual({ config: { ...NO_SALES, isOn: true }, problems: [] });
});

test('secrets, keys and times are read', () => {
  const { config, problems } = read({
    BOOKSTALL_STRIPE_WEBHOOK_SECRET: 'whsec_old, whsec_new',
    BOOKSTALL_STRIPE_WEBHOOK_SECRET_TEST: 'whsec_test',
    BOOKSTALL_POLAR_WEBHOOK_SECRET: 'geheimü',
    BOOKSTALL_LEMONSQUEEZY_KEY: 'eyJ.x',
    BOOKSTALL_LEMONSQUEEZY_API_URL: 'http://127.0.0.1:9/base/',
    BOOKSTALL_GUMROAD_PING_SECRET: PING,
    BOOKSTALL_GUMROAD_TOKEN: 'token',
    BOOKSTALL_GRACE_DAYS: '0',
    BOOKSTALL_KEEP_EVENTS: '30d',
  });
  expect(problems).toEqual([]);
  expect(config).toEqual({
    isOn: true,
    secrets: {
      stripe: { live: ['whsec_old', 'whsec_new'], test: ['whsec_test'] },
      polar: { live: ['geheimü'], test: [] },
      lemonsqueezy: { live: [], test: [] },
    },
    gumroadPing: PING,
    apis: {
      stripe: null,
      polar: null,
      lemonsqueezy: { key: 'eyJ.x', url: 'http://127.0.0.1:9/base' },
      gumroad: { key: 'token', url: 'https://api.gumroad.com' },
    },
    grace: 0,
    keepEvents: 30 * DAY,
  });
  expect(
    ['stripe', 'polar', 'lemonsqueezy', 'gumroad'].map((name) => takesSales(config, name as 'polar')),
  ).toEqual([true, true, false, true]);
});

test.each([
  [{ BOOKSTALL_SALES: 'off' }, false],
  [{ BOOKSTALL_SALES: 'live' }, true],
])('switched off, and in the demo, the stall has no secret: %p, demo %p', (more, isDemo) => {
  const { config } = read(
    { BOOKSTALL_STRIPE_WEBHOOK_SECRET: 'whsec_1', ...more, BOOKSTALL_GRACE_DAYS: '5' },
    isDemo,
  );
  expect(config).toEqual({ ...NO_SALES, grace: 5 * DAY });
});

describe('a wrong value is a problem with the name of its variable, and never shown if it is secret', () => {
  test.each([
    [{ BOOKSTALL_SALES: 'on' }, 'BOOKSTALL_SALES: Cannot read "on": give live or off'],
    [{ BOOKSTALL_STRIPE_WEBHOOK_SECRET: 'hush' }, 'BOOKSTALL_STRIPE_WEBHOOK_SECRET: Cannot use this secret'],
    [
      { BOOKSTALL_POLAR_WEBHOOK_SECRET: 'hush hush' },
      'BOOKSTALL_POLAR_WEBHOOK_SECRET: Cannot use this secret',
    ],
    [
      { BOOKSTALL_STRIPE_WEBHOOK_SECRET: 'hush-1,,hush-2' },
      'BOOKSTALL_STRIPE_WEBHOOK_SECRET: Cannot use this',
    ],
    [
      { BOOKSTALL_STRIPE_WEBHOOK_SECRET: 'hush-1', BOOKSTALL_STRIPE_WEBHOOK_SECRET_TEST: 'hush-2,hush-1' },
      'BOOKSTALL_STRIPE_WEBHOOK_SECRET_TEST: Cannot use one secret for tests and for sales',
    ],
    [
      { BOOKSTALL_GUMROAD_PING_SECRET: 'hush', BOOKSTALL_GUMROAD_TOKEN: 't' },
      'BOOKSTALL_GUMROAD_PING_SECRET: Cannot use',
    ],
    [
      { BOOKSTALL_GUMROAD_PING_SECRET: PING },
      'BOOKSTALL_GUMROAD_PING_SECRET: Cannot take sales of Gumroad without',
    ],
    [{ BOOKSTALL_STRIPE_KEY: 'hush hush' }, 'BOOKSTALL_STRIPE_KEY: Cannot use this key'],
    [
      { BOOKSTALL_STRIPE_API_URL: 'http://api.example.org' },
      'BOOKSTALL_STRIPE_API_URL: Cannot send a key unencrypted',
    ],
    [
      { BOOKSTALL_POLAR_API_URL: 'https://a:hush@b.example' },
      'BOOKSTALL_POLAR_API_URL: Cannot use an address with a user',
    ],
    [
      { BOOKSTALL_POLAR_API_URL: 'https://169.254.169.254' },
      'BOOKSTALL_POLAR_API_URL: Cannot ask Polar at "169',
    ],
    [{ BOOKSTALL_POLAR_API_URL: 'polar' }, 'BOOKSTALL_POLAR_API_URL: Cannot use this address'],
    [{ BOOKSTALL_GRACE_DAYS: '1.5' }, 'BOOKSTALL_GRACE_DAYS: Cannot give "1.5" days of grace'],
    [{ BOOKSTALL_KEEP_EVENTS: '5m' }, 'BOOKSTALL_KEEP_EVENTS: Cannot take "5m"'],
    [
      { BOOKSTALL_POLAR_TOKEN: 'hush', BOOKSTALL_POLAR_TOKEN_FILE: '/x' },
      'BOOKSTALL_POLAR_TOKEN: Cannot use BOOKSTALL_POLAR_TOKEN and',
    ],
  ])('%p', (environment, problem) => {
    const { problems } = read(environment);
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join()).not.toContain('hush');
  });

  test('in a data directory below an item, which would be handed out with it', () => {
    expect(() => readConfig({ data: './content/books/a/data' }, { environment: {} })).toThrow(
      '--data: Cannot keep the data in "./content/books/a/data": an item is handed out',
    );
    expect(readConfig({ content: '.', data: 'data' }, { environment: {} }).data).toBe('data');
  });

  test('all at once, as the start names them', () => {
    expect(() =>
      readConfig({}, { environment: { BOOKSTALL_SALES: 'x', BOOKSTALL_GRACE_DAYS: 'y' } }),
    ).toThrow(/BOOKSTALL_SALES: .*\nBOOKSTALL_GRACE_DAYS: /);
  });
});

test('a secret may be in a file', () => {
  const file = join(temporaryDirectory(), 'secret');
  writeFileSync(file, 'whsec_file\n');
  const { config } = read({ BOOKSTALL_STRIPE_WEBHOOK_SECRET_FILE: file });
  expect(config.secrets.stripe.live).toEqual(['whsec_file']);
});

test('a server never reads a key that sets up, not even that it is there', () => {
  const asked: string[] = [];
  const environment = new Proxy<Readonly<Record<string, string>>>(
    { BOOKSTALL_STRIPE_SETUP_KEY: 'sk_live_hush' },
    { get: (values, name) => (asked.push(String(name)), values[String(name)]) },
  );
  readConfig({}, { environment });
  expect(asked).toContain('BOOKSTALL_STRIPE_KEY');
  expect(asked.filter((name) => name.includes('SETUP'))).toEqual([]);
  expect(readSetupApi('stripe', environment).key).toBe('sk_live_hush');
});
