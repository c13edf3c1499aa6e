import { formatsIn } from '../../formats.ts';
import type { OfficeWords } from '../../office.ts';

const f = formatsIn('de-DE');

export const overview: OfficeWords['overview'] = {
  title: 'Büro',
  lastOrders: 'Letzte Bestellungen',
  lastOrdersCaption: 'Die letzten Bestellungen, die neuesten zuerst',
  allOrdersLink: 'Alle Bestellungen',
  readers: 'Leserschaft',
  served: ({ broken }) => `Titel im Angebot${broken === 0 ? '' : `, ${broken} mit Fehlern`}`,
  accounts: ({ count, disabled }) =>
    `${count === 1 ? 'Konto' : 'Konten'}${disabled === 0 ? '' : `, ${disabled} gesperrt`}`,
  grants: ({ count }) => (count === 1 ? 'gültiger Zugang' : 'gültige Zugänge'),
  keys: ({ count }) => (count === 1 ? 'aktiver Schlüssel' : 'aktive Schlüssel'),
  ordersNeedYou: ({ count, link }) => [
    link(f.plural(count, { one: '1 Bestellung', other: `${f.number(count)} Bestellungen` })),
    count === 1 ? ' wartet auf Sie.' : ' warten auf Sie.',
  ],
  reportsNeedYou: ({ count, link }) => [
    link(f.plural(count, { one: '1 Hinweis', other: `${f.number(count)} Hinweise` })),
    count === 1 ? ' wartet auf Sie.' : ' warten auf Sie.',
  ],
  sales: 'Verkäufe',
  noSales: 'In den letzten 90 Tagen wurde nichts verkauft.',
  today: 'heute',
  thisMonth: 'in diesem Monat',
  inDays: ({ count }) => `in den letzten ${count} Tagen`,
  salesOfMonth: ({ count, givenBack }) =>
    `${f.plural(count, { one: '1 Verkauf', other: `${f.number(count)} Verkäufe` })} in diesem Monat${givenBack === null ? '' : `, ${givenBack} erstattet`}`,
  salesHint: ({ link }) => [
    'Mit Steuern, vor Abzug der Gebühren Ihres Zahlungsanbieters; Tage in UTC. ',
    link('Nach Tag und Titel'),
  ],
  chart: ({ currency, count, most, day }) =>
    `In ${currency} bezahlt, Tag für Tag über ${count} Tage: höchstens ${most}, am ${day}`,
  attention: 'Zu erledigen',
  noAttention: 'Zurzeit ist nichts zu tun.',
  passed: ({ count }) =>
    `${f.plural(count, { one: '1 Prüfung', other: `${f.number(count)} Prüfungen` })} bestanden`,
  doctorHint: ({ code }) => [code, ' prüft mehr: die ganze Datenbank, alle Inhalte und das Sprachmodell.'],
};

export const counts: OfficeWords['counts'] = {
  items: ({ count }) => `${f.number(count)} Titel`,
  members: ({ count }) => f.plural(count, { one: '1 Mitglied', other: `${f.number(count)} Mitglieder` }),
  sections: ({ count }) => f.plural(count, { one: '1 Abschnitt', other: `${f.number(count)} Abschnitten` }),
  editions: ({ count }) => f.plural(count, { one: '1 Ausgabe', other: `${f.number(count)} Ausgaben` }),
  drafts: ({ count }) => f.plural(count, { one: '1 Entwurf', other: `${f.number(count)} Entwürfe` }),
  errors: ({ count }) => `${f.number(count)} Fehler`,
  warnings: ({ count }) => f.plural(count, { one: '1 Warnung', other: `${f.number(count)} Warnungen` }),
  testBuyers: ({ count }) => f.plural(count, { one: '1 Testkauf', other: `${f.number(count)} Testkäufe` }),
  codes: ({ count }) => f.plural(count, { one: '1 Code', other: `${f.number(count)} Codes` }),
  orders: ({ count }) => f.plural(count, { one: '1 Bestellung', other: `${f.number(count)} Bestellungen` }),
  rows: ({ count }) => f.plural(count, { one: '1 Zeile', other: `${f.number(count)} Zeilen` }),
};

export const firstSteps: OfficeWords['firstSteps'] = {
  https: 'Den Stand unter einer öffentlichen https-Adresse betreiben',
  shop: 'Dem Laden einen Namen geben',
  shopHow: ({ link }) => ['Name, Kontakt, Farbe und Logo stehen in den ', link('Einstellungen'), '.'],
  examples: 'Die Beispiele ersetzen oder aus dem Laden nehmen',
  examplesHow: ({ link }) => ['Alle sehen sie. Wo sie liegen, steht unter ', link('Titel'), '.'],
  item: 'Einen Titel hinzufügen',
  itemHow: ({ link }) => [
    link('Fügen Sie ein Buch oder einen Skill hinzu'),
    ', sehen Sie sich den Entwurf an, und veröffentlichen Sie ihn in seinem Formular.',
  ],
  sale: 'Den Titel kaufbar machen',
  saleHow: ({ provider, items }) => [
    provider('Verbinden Sie einen Zahlungsanbieter'),
    '; danach legen Sie unter ',
    items('Titel'),
    ' im Formular des Titels den Preis fest und richten den Verkauf dort ein.',
  ],
  mail: 'Den Stand Mails senden lassen',
  mailHow: ({ server, mails }) => [
    server('Richten Sie den Mailserver ein'),
    '; bis dahin finden Sie unter ',
    mails('Mails'),
    ' die Links, die Sie selbst weitergeben.',
  ],
  terms: 'AGB und Impressum zeigen',
  termsHow: ({ link }) => ['In vielen Ländern braucht ein Laden sie: ', link('Schreiben Sie sie hier'), '.'],
  secondStep: 'Den zweiten Schritt einschalten',
  secondStepHow: ({ link }) => [
    'Mit ',
    link('einem Code aus einer App'),
    ' genügt Ihr Passwort allein nicht mehr.',
  ],
  backups: 'Sicherungen machen',
  backupsHow: ({ link }) => [
    'Unter ',
    link('Sicherungen'),
    ' legen Sie fest, wie oft, und machen sofort eine.',
  ],
  firstSaleHow: ({ isReady, link }) => [
    isReady ? 'Alles ist bereit: Er kommt von selbst. ' : 'Er kommt, wenn das Übrige erledigt ist. ',
    link('Spielen Sie vorher einen Testverkauf durch'),
    '.',
  ],
  firstSale: 'Der erste Verkauf',
  folded: ({ done, all }) =>
    `Vor Ihrem ersten Verkauf über einen Zahlungsanbieter: ${done} von ${all} erledigt`,
  title: 'Vor Ihrem ersten Verkauf',
  count: ({ done, all }) => `${done} von ${all} erledigt`,
  awayButton: 'Diese Liste ausblenden',
  handbook: ({ how, link }) => [how, ' Handbuch (englisch): ', link],
};

export const common: OfficeWords['common'] = {
  done: 'Erledigt',
  state: 'Status',
  revoke: 'Widerrufen …',
  downloads: 'Downloads',
  when: 'Zeit',
  items: 'Titel',
  code: 'Code',
  lookAtIt: 'Ansehen',
  save: 'Speichern',
  item: 'Titel',
  until: 'Bis',
  noEnd: 'unbegrenzt',
  account: 'Konto',
  buyer: 'Gekauft von',
  used: ({ used, all }) => `${used} von ${all} eingelöst`,
  kinds: { book: 'Buch', skill: 'Skill' },
  statuses: {
    draft: 'Entwurf',
    announced: 'angekündigt',
    published: 'veröffentlicht',
    private: 'nicht öffentlich',
    archived: 'archiviert',
  },
  file: 'Datei',
  fileAgain: 'Wählen Sie die Datei noch einmal: Kein Browser merkt sie sich',
};

export const handbook: OfficeWords['handbook'] = {
  title: 'Handbuch (englisch)',
  chapters: 'Kapitel des Handbuchs',
};

export const frame: OfficeWords['frame'] = {
  menu: { office: 'Büro', shop: 'Laden', readers: 'Leserschaft', log: 'Protokolle' },
  pages: {
    '/admin': 'Übersicht',
    '/admin/items': 'Titel',
    '/admin/orders': 'Bestellungen',
    '/admin/sales': 'Verkäufe',
    '/admin/codes': 'Gutscheincodes',
    '/admin/orders/import': 'Import',
    '/admin/settings': 'Einstellungen',
    '/admin/accounts': 'Konten',
    '/admin/groups': 'Gruppen',
    '/admin/reports': 'Hinweise',
    '/admin/links': 'Links',
    '/admin/mail': 'Mails',
    '/admin/logs': 'Fragen',
    '/admin/downloads': 'Downloads',
    '/admin/audit': 'Änderungen',
    '/admin/second-step': 'Zweiter Schritt',
  },
  demo: 'In einer Demo geschehen nur die Verkäufe zum Schein und enden mit ihr. Konten, Codes, Zugänge und Links, die Sie hier anlegen, sind echt und bleiben.',
  linkFor: ({ email }) => `Für ${email}`,
  validUntil: (when) => ['Gültig bis ', when, '.'],
  inTotal: ({ all, total, most, by }) =>
    all === 0 ? 'keine' : `insgesamt ${total}, höchstens ${most} ${by === 'day' ? 'am Tag' : 'im Monat'}`,
  chart: ({ title, by, words }) => `${title} nach ${by === 'day' ? 'Tagen' : 'Monaten'}: ${words}`,
};

export const said: OfficeWords['said'] = {
  reindexed: 'Inhalte neu geladen.',
  'reindexed-with-errors':
    'Inhalte neu geladen, mit Fehlern. Was einen Fehler hat, gilt weiter in der vorigen Fassung.',
  reindexing: 'Die Inhalte werden noch geladen. Laden Sie diese Seite neu, um das Ergebnis zu sehen.',
  disabled: 'Konto gesperrt. Seine Schlüssel werden ab sofort abgewiesen, und es ist überall abgemeldet.',
  enabled: 'Konto entsperrt. Wer es nutzt, muss sich neu anmelden.',
  granted: 'Zugang gegeben.',
  'grant-revoked': 'Zugang entzogen. Er öffnet ab sofort nichts mehr.',
  'group-added': 'Gruppe angelegt. Als Nächstes: ihre Titel und Mitglieder.',
  'group-joined': 'Mitglieder aufgenommen. Sie haben die Titel der Gruppe ab sofort.',
  'group-left': 'Aus der Gruppe herausgenommen. Was die Gruppe gibt, endet damit sofort.',
  'group-revoked': 'Titel der Gruppe entzogen. Über sie hat ihn ab sofort niemand mehr.',
  'group-removed': 'Gruppe gelöscht. Was sie gab, endet damit sofort.',
  saved: 'Gespeichert.',
  'saved-not-served':
    'Gespeichert. Der Titel wird noch verarbeitet oder hat Fehler: Sehen Sie unter „Titel“ nach.',
  'rolled-back': 'Zurückgesetzt. Die Liste zeigt die Ausgabe, die jetzt gilt.',
  withdrawn: 'Ausgabe zurückgezogen. Sie wird nie wieder ausgeliefert.',
  'mail-queued': 'Die Mail wird noch einmal gesendet.',
  'order-granted': 'Freigegeben. Die Titel stehen bereit, sobald die Bestellung zu einem Konto gehört.',
  'order-revoked': 'Zugang entzogen. Die Bestellung öffnet ab sofort nichts mehr.',
  'order-refunded': 'Als erstattet vermerkt.',
  'order-attached': 'Die Bestellung gehört jetzt zu diesem Konto.',
  'order-replayed': 'Die Ereignisse dieser Bestellung wurden neu gelesen.',
  'order-erased': 'Personendaten gelöscht. Wer gekauft hat, steht nicht mehr in dieser Bestellung.',
  'report-set': 'Gespeichert. Wer den Hinweis gesendet hat, sieht es unter „Ihre Notizen“.',
  'second-step-off': 'Der zweite Schritt ist ausgeschaltet. Ihr Passwort allein genügt zum Anmelden.',
  'link-mailed': 'Die Mail ist unterwegs. Der Link darin gilt einmal und 72 Stunden lang.',
  'code-revoked': 'Code widerrufen. Was er geöffnet hat, bleibt offen.',
  'link-revoked': 'Link widerrufen. Er kann nicht mehr benutzt werden.',
};
