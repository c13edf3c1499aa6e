import { listed } from '../base/text.ts';

export const EXTRACTIVE = 'extractive';

const ANTHROPIC = {
  requiresKey: true,
  keyVariable: 'ANTHROPIC_API_KEY',
  isMetered: true,
  defaults: {
    'model-url': 'https://api.anthropic.com',
    'context-tokens': '200000',
    'first-byte-ms': '60000',
    'idle-ms': '30000',
    'total-ms': '300000',
  },
} as const;

const COMPAT = {
  requiresKey: false,
  keyVariable: null,
  isMetered: false,
  // A model on a machine without a graphics card may need minutes before its first word.
  defaults: {
    'model-url': '',
    'context-tokens': '4096',
    'first-byte-ms': '300000',
    'idle-ms': '60000',
    'total-ms': '900000',
  },
} as const;

/**
 * The engines with a language model: whether they need a key, the variable in which other programs keep the key, whether tokens
 * cost money, and the default settings. `engines/choose.ts` connects each to its API.
 */
export const MODEL_ENGINES = { anthropic: ANTHROPIC, compat: COMPAT } as const;

export const MODEL_PROTOCOLS = { messages: 'the Messages API', chat: 'chat completions' } as const;

export type ModelProtocol = keyof typeof MODEL_PROTOCOLS;
export type ModelEngine = keyof typeof MODEL_ENGINES;
export type EngineName = typeof EXTRACTIVE | ModelEngine;

export const ENGINES = [EXTRACTIVE, ...(Object.keys(MODEL_ENGINES) as ModelEngine[])] as const;

export const ENGINE_CHOICES = listed(ENGINES);

export const isEngineName = (text: string): text is EngineName => ENGINES.some((name) => name === text);
