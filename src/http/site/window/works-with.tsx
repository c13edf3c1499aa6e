import type { Edition } from '../../../catalog/edition.ts';
import type { Client } from '../../../item/problem.ts';

const CLIENTS: Readonly<Record<Client, string>> = {
  'claude-code': 'Claude Code',
  'claude.ai': 'claude.ai',
  spec: 'Agent Skills',
  'well-known': 'The skills program',
  mcp: 'Skills over MCP',
};

/** The agents that a skill works with, and the findings of each agent's own rules. */
export function WorksWith({ edition: { manifest, warnings } }: { edition: Edition }) {
  if (manifest.kind !== 'skill') return null;
  const found = Map.groupBy(warnings, ({ client }) => client);
  const clients = Object.keys(CLIENTS) as Client[];
  const noted = clients.filter((client) => found.has(client));
  return (
    <section class="works-with">
      <p>
        Works with:{' '}
        {clients
          .filter((client) => !found.has(client))
          .map((client) => `${CLIENTS[client]} ✓`)
          .join(' · ') || 'see the findings'}
      </p>
      {noted.map((client) => (
        <details key={client}>
          <summary>{CLIENTS[client]}: see the findings</summary>
          {found.get(client)?.map(({ sentence }) => (
            <p key={sentence}>{sentence}.</p>
          ))}
        </details>
      ))}
    </section>
  );
}
