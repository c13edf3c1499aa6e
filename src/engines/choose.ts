import type { Log } from '../log.ts';
import type { ModelConfig } from '../model-config.ts';
import { isLocalHost } from '../model-config.ts';
import { anthropicDialect } from './anthropic.ts';
import { compatDialect } from './compat.ts';
import type { Engine } from './engine.ts';
import { createExtractive } from './extractive.ts';
import { withFallback } from './fallback.ts';
import { createModel } from './model.ts';
import { withQuoteFallback } from './quote-fallback.ts';

const DIALECTS = { anthropic: anthropicDialect, compat: compatDialect } as const;

/** The engine that a stall's configuration names; null is the extractive one, which needs no model. */
export function chooseEngine(config: ModelConfig | null, log: Log): Engine {
  if (config === null) return createExtractive();
  const model = withQuoteFallback(openModel(config, log), createExtractive(0));
  return config.fallback === 'extractive' ? withFallback(model, createExtractive()) : model;
}

/** The model alone, whatever stands in for it. */
export function openModel(config: ModelConfig, log: Log): Engine {
  keepProxiesOut(config.url);
  const seed = () => crypto.randomUUID().slice(0, 8);
  return createModel(config, DIALECTS[config.engine](config), { log, seed });
}

/** HTTP_PROXY would carry a book out of the house on its way to the next process; fetch asks NO_PROXY alone. */
function keepProxiesOut(url: string): void {
  const { hostname } = new URL(url);
  if (!isLocalHost(hostname)) return;
  const without = [process.env['NO_PROXY'] ?? process.env['no_proxy'] ?? '', hostname];
  process.env['NO_PROXY'] = process.env['no_proxy'] = without.filter((one) => one !== '').join(',');
}
