import type { Log } from '../log.ts';
import type { ModelConfig } from '../model-config.ts';
import { isLocalHost } from '../model-config.ts';
import { EXTRACTIVE, type ModelEngine } from '../model-engines.ts';
import { anthropicDialect } from './anthropic.ts';
import { compatDialect } from './compat.ts';
import type { Dialect } from './dialect.ts';
import type { Engine } from './engine.ts';
import { createExtractive } from './extractive.ts';
import { withFallback } from './fallback.ts';
import { createModel } from './model.ts';
import { withQuoteFallback } from './quote-fallback.ts';

/** The dialect of every model engine. A new one needs its file, its name in `model-engines.ts` and a line here. */
const DIALECTS: Readonly<Record<ModelEngine, (config: ModelConfig) => Dialect>> = {
  anthropic: anthropicDialect,
  compat: compatDialect,
};

/** The engine of a stall's configuration; null is the extractive one, which needs no model. */
export function chooseEngine(config: ModelConfig | null, log: Log): Engine {
  if (config === null) return createExtractive();
  const model = withQuoteFallback(openModel(config, log), createExtractive(0));
  return config.fallback === EXTRACTIVE ? withFallback(model, createExtractive()) : model;
}

/** The model alone, without its fallbacks. */
export function openModel(config: ModelConfig, log: Log): Engine {
  bypassProxy(config.url);
  const seed = () => crypto.randomUUID().slice(0, 8);
  return createModel(config, DIALECTS[config.engine](config), { log, seed });
}

/** Keeps HTTP_PROXY from carrying a book to another machine. `fetch` reads only NO_PROXY. */
function bypassProxy(url: string): void {
  const { hostname } = new URL(url);
  if (!isLocalHost(hostname)) return;
  const without = [process.env['NO_PROXY'] ?? process.env['no_proxy'] ?? '', hostname];
  process.env['NO_PROXY'] = process.env['no_proxy'] = without.filter((one) => one !== '').join(',');
}
