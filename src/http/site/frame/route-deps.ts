import type { Http } from '../../http.ts';
import type { FormTokens } from './form-token.ts';
import type { ViewOf } from './view.ts';

/** What every route of the site is given. */
export type RouteDeps = Http & { readonly viewOf: ViewOf; readonly tokens: FormTokens };
