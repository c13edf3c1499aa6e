import { Refusal } from '../refusal.ts';

type Route = { readonly method: string; readonly path: string };
type Explained = { readonly failure: Refusal; readonly headers: Readonly<Record<string, string>> };

/** Elysia answers 404 to a known path with another method: this table tells the two apart. */
export function createMethods() {
  const known: { readonly pattern: RegExp; readonly methods: Set<string> }[] = [];

  return {
    /** Reads Elysia's own route table, once everything is registered. */
    learn(routes: readonly Route[]): void {
      const byPath = Map.groupBy(routes, (route) => route.path);
      for (const [path, ofPath] of byPath) {
        const methods = new Set(ofPath.map((route) => route.method));
        if (methods.has('GET')) methods.add('HEAD');
        known.push({ pattern: patternOf(path), methods });
      }
    },
    /** The refusal for a request without a route: an unknown path, or a known path with another method. */
    explain(method: string, path: string): Explained {
      const routes = known.filter(({ pattern }) => pattern.test(path));
      const methods = [...new Set(routes.flatMap((route) => [...route.methods]))];
      if (routes.length === 0 || methods.includes(method))
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

function patternOf(path: string): RegExp {
  const source = path.split('/').map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : RegExp.escape(part);
  });
  return new RegExp(`^${source.join('/')}$`);
}
