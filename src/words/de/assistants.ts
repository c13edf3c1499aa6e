import type { Words } from '../words.ts';

export const assistants: Words['assistants'] = {
  title: 'Assistenten verbinden',
  titleKey: 'Auf der Kommandozeile anmelden',
  asksKey: ({ machine }) => `bookstall auf „${machine}“ bittet um einen Schlüssel.`,
  mayKey:
    'Der Schlüssel öffnet 90 Tage lang, was Sie hier lesen dürfen. Er steht unter „Schlüssel“, wo Sie ihn widerrufen können.',
  asks: ({ name }) => `${name} möchte Ihre Bibliothek hier lesen.`,
  described: ({ host }) => `Wer es ist, sagt ${host}.`,
  leadsTo: ({ host }) => `Sie werden danach zu ${host} geleitet.`,
  local:
    'Das ist ein Programm auf Ihrem eigenen Rechner. Fahren Sie nur fort, wenn Sie es gerade selbst gestartet haben.',
  as: ({ email }) => `Er handelt für ${email}.`,
  may: 'Er darf suchen, lesen und auflisten, was Sie hier lesen dürfen, und sonst nichts von Ihrem Konto.',
  ask: 'Büchern Fragen stellen, wofür die Betreiber vielleicht bezahlen',
  notes: 'Meine eigenen Notizen lesen',
  connect: 'Verbinden',
  other: 'Anderes Konto verwenden',
  refuse: 'Nicht verbinden',
  wrong: 'Das lässt sich nicht verbinden',
  client:
    'Das Programm hat nicht in einer Form gesagt, wer es ist, die hier bekannt ist. Verbinden Sie es in seinen eigenen Einstellungen neu.',
  document:
    'Wer das Programm ist, war an der Adresse, die es nennt, nicht zu lesen. Versuchen Sie es in einer Minute erneut.',
  redirect:
    'Das Programm möchte zu einer Adresse geleitet werden, die es vorher nicht genannt hat. Verbinden Sie es in seinen eigenen Einstellungen neu.',
  request: 'Das Programm hat in einer Form gefragt, die hier nicht beantwortet werden kann.',
  back: ({ name }) => `Zurück zu ${name}`,
  once: 'Diese Seite wurde schon benutzt. Verbinden Sie in den Einstellungen Ihres Assistenten neu.',
  list: 'Assistenten',
  lead: 'Assistenten, die hier für Sie lesen. Jeder darf lesen, was Sie lesen dürfen; getrennt ist er ab seiner nächsten Anfrage.',
  none: 'Keine Assistenten. Claude, ChatGPT und andere können Ihre Bücher lesen: Fügen Sie einen Connector mit der Adresse unten hinzu, und melden Sie sich an.',
  address: 'Adresse für Ihren Assistenten',
  since: 'Seit',
  lastUsed: 'Zuletzt benutzt',
  disconnectToo: 'Auch Assistenten trennen',
  disconnect: 'Trennen',
  ended: 'Getrennt',
  endedReuse: 'Getrennt, weil sein Token zweimal benutzt wurde: Vielleicht hat ihn jemand kopiert',
  save: 'Speichern',
  way: 'Claude, ChatGPT und andere: Fügen Sie einen Connector mit dieser Adresse hinzu, und melden Sie sich an.',
  claude: 'Claude: Einstellungen, Connectors, „Add custom connector“, dann „Connect“.',
  chatgpt:
    'ChatGPT: Einstellungen, „Apps & Connectors“, „Advanced settings“: „Developer mode“ einschalten, dann „Create“.',
  all: 'Ihre Assistenten',
};
