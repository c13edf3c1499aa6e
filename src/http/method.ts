import { Refusal } from '../refusal.ts';

type Route = { readonly method: string; readonly path: string };
type Pattern = { readonly pattern: RegExp; readonly methods: ReadonlySet<string> };
type Explained = { readonly failure: Refusal; readonly headers: Readonly<Record<string, string>> };

/** Elysia answers 404 to a known path with another method: this table tells the two apart. */
export function createMethods() {
  let routes: readonly Route[] = [];
  let patterns: readonly Pattern[] | null = null;

  return {
    /** Takes Elysia's own route table, once everything is registered; it is read when a request has no route. */
    learn(all: readonly Route[]): void {
      routes = all;
    },
    /** The refusal for a request without a route: an unknown path, or a known path with another method. */
    explain(method: string, path: string): Explained {
      patterns ??= readPatterns(routes);
      const matching = patterns.filter(({ pattern }) => pattern.test(path));
      const methods = [...new Set(matching.flatMap((one) => [...one.methods]))];
      if (matching.length === 0 || methods.includes(method))
        return {
          failure: new Refusal(
            'not-found',
            "Cannot find this path: the stall's first page lists its books and skills, and the Handbook the paths for programs",
          ),
          headers: {},
        };
      const allow = methods.join(', ');
      return {
        failure: new Refusal('method-not-allowed', `Cannot ${method.slice(0, 20)} this path: use ${allow}`),
        headers: { Allow: allow },
      };
    },
  };
}

function readPatterns(routes: readonly Route[]): readonly Pattern[] {
  return [...Map.groupBy(routes, (route) => route.path)].map(([path, ofPath]) => {
    const methods = new Set(ofPath.map((route) => route.method));
    if (methods.has('GET')) methods.add('HEAD');
    return { pattern: patternOf(path), methods };
  });
}

function patternOf(path: string): RegExp {
  const source = path.split('/').map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : RegExp.escape(part);
  });
  return new RegExp(`^${source.join('/')}$`);
}
