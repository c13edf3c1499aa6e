import { FormatRegistry, type TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { OPENAPI } from '../../../src/agents/openapi.ts';
import { ANSWERS, EVENTS } from '../../../src/agents/shapes.ts';

FormatRegistry.Set('date-time', (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text));

/** A shape that takes no field besides those that it names. */
export function strict(shape: TSchema): TSchema {
  const { properties, items, anyOf } = shape as {
    properties?: Record<string, TSchema>;
    items?: TSchema;
    anyOf?: TSchema[];
  };
  const own = Object.entries(properties ?? {}).map(([name, field]) => [name, strict(field)]);
  return {
    ...shape,
    ...(properties && { properties: Object.fromEntries(own), additionalProperties: false }),
    ...(items && { items: strict(items) }),
    ...(anyOf && { anyOf: anyOf.map(strict) }),
  };
}

/** How a value differs from a shape: a line for each field. */
export function differences(shape: TSchema | undefined, value: unknown): readonly string[] {
  if (shape === undefined) return ['it is not described'];
  return [...Value.Errors(strict(shape), value)].map(({ path, message }) => `${path}: ${message}`);
}

/** The operation of a route, as "GET /api/books/:id/notes". */
export function operationOf(route: string) {
  const [method = '', path = ''] = route.split('?')[0]!.split(' ');
  return OPENAPI.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
}

type Answer = { readonly status: number; readonly type: string | null | undefined; readonly body: string };

/** How the answer of a route differs from what /openapi.json says of it. */
export function answerDifferences(route: string, { status, type, body }: Answer): readonly string[] {
  if (status >= 400) return differences(ANSWERS.failure, JSON.parse(body));
  const content = operationOf(route)?.responses[status]?.content;
  if (content === undefined) return [`${status} is not described`];
  if (body === '') return Object.keys(content).length === 0 ? [] : ['it has no body'];
  const media = type?.split(';')[0] ?? '';
  if (!(media in content)) return [`${media} is not described`];
  if (media === 'text/event-stream') return eventsOf(body).flatMap(([name, data]) => differences(name, data));
  return media === 'application/json' ? differences(content[media]!.schema, JSON.parse(body)) : [];
}

function eventsOf(body: string): readonly (readonly [TSchema | undefined, unknown])[] {
  const events = [...body.matchAll(/^event: (\w+)\ndata: (.*)$/gm)];
  return events.map(([, name = '', data = '']) => [EVENTS[name as keyof typeof EVENTS], JSON.parse(data)]);
}
