import { afterEach, expect, test } from 'bun:test';
import { createEngineChoice } from '../../../src/asking/engines/choose.ts';
import { modelConfig } from './model-stall.ts';

const before = process.env['NO_PROXY'];
afterEach(() => {
  delete process.env['no_proxy'];
  if (before === undefined) delete process.env['NO_PROXY'];
  else process.env['NO_PROXY'] = before;
});

test.each([
  ['https://models.example.com', 'one.example'],
  ['http://models.example.com', 'one.example,models.example.com'],
  ['https://127.0.0.1:11434', 'one.example,127.0.0.1'],
])('of a proxy of the environment, a model at %s leaves %j without it', (url, without) => {
  process.env['NO_PROXY'] = 'one.example';
  createEngineChoice(
    () => modelConfig(url),
    () => {},
    Date.now,
  )();
  expect(process.env['NO_PROXY']).toBe(without);
});
