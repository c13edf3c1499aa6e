import type { Words } from '../words.ts';
import type { MailFacts } from '../en/mail.ts';
import { yours } from './account.ts';

const MISTAKE = 'Haben Sie nicht darum gebeten, brauchen Sie nichts zu tun: Es ändert sich nichts.';

const UNWANTED = 'Haben Sie nicht darum gebeten, brauchen Sie nichts zu tun: Sie bekommen nichts weiter.';

const mayWrite = (stall: string): string =>
  `${stall} darf Ihnen zu neuen Ausgaben dessen schreiben, was Sie gekauft haben. Sie können dem jederzeit widersprechen, mit einem Klick in jeder dieser Mails.`;

const forOthers = ({ copies, count }: Pick<MailFacts, 'copies' | 'count'>): readonly string[] =>
  copies === ''
    ? []
    : [
        count === '1'
          ? 'Ein weiteres Exemplar ist für jemand anderen. Geben Sie diesen Link weiter, damit ein Konto es einlösen kann:'
          : `Weitere Exemplare sind für andere. Geben Sie diesen Link weiter, damit ${count} Konten je eines einlösen können:`,
        copies,
      ];

const comingSoon = (titles: string): string =>
  `${titles} ist noch nicht erschienen. Eine Mail sagt Ihnen, wenn es so weit ist.`;

/** The mails in German. */
export const mail: Words['mail'] = {
  hello: 'Guten Tag,',
  yourPurchase: 'Ihr Kauf',
  reasons: {
    refunded: 'wurde erstattet',
    lost: 'wurde nach einem Widerspruch gegen die Zahlung zurückgezahlt',
    disputed: 'ruht: Ein Widerspruch gegen die Zahlung ist offen',
    revoked: 'wurde vom Stand geschlossen',
    ended: 'ist abgelaufen',
  },
  sold: { live: 'Verkauf', test: 'Testverkauf' },
  paid: {
    live: 'Es ist ein echter Verkauf.',
    test: 'Es ist ein Testverkauf: Es wurde nichts bezahlt.',
  },
  claim: ({ stall, titles, ref, link, origin, read, epub, coming, ...others }) => [
    `Ihr Kauf bei ${stall}`,
    `vielen Dank für Ihren Kauf: ${titles}. ${yours.title}.`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    read === ''
      ? 'Mit diesem Link kommt Ihr Kauf in Ihre Bibliothek:'
      : 'Mit diesem Link können Sie gleich lesen:',
    link,
    ...(epub === '' ? [] : [`Auf der nächsten Seite finden Sie auch „${yours.epub}“ und „${yours.agent}“.`]),
    `Der Link gilt einmal und 7 Tage lang. Ist er abgelaufen, bekommen Sie einen neuen unter ${origin}/claim.`,
    ...forOthers(others),
    mayWrite(stall),
    `Ihre Bestellung ist ${ref}. Haben Sie nichts gekauft, hat sich jemand bei der Adresse vertippt: Dann brauchen Sie nichts zu tun.`,
  ],
  claimed: ({ stall, titles, ref, holder }) => [
    `Ihr Kauf bei ${stall}`,
    `vielen Dank für Ihren Kauf: ${titles}.`,
    `Er liegt schon in der Bibliothek des Kontos ${holder}, das beim Abholen angemeldet war.`,
    `Ist das nicht Ihr Konto, antworten Sie bitte mit Ihrer Bestellung, ${ref}.`,
  ],
  library: ({ stall, titles, ref, read, epub, origin, coming, ...others }) => [
    `In Ihrer Bibliothek bei ${stall}`,
    `vielen Dank für Ihren Kauf: ${titles}. ${yours.title}.`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    ...(read === '' ? [] : [`${yours.read}:\n${read}`]),
    ...(epub === '' ? [] : [`${yours.epub}:\n${epub}`]),
    `${yours.agent}:\n${origin}/dashboard/connect`,
    ...forOthers(others),
    mayWrite(stall),
    `Ihre Bestellung ist ${ref}.`,
  ],
  ended: ({ stall, titles, ref, reason, origin }) => [
    `Ihre Bestellung bei ${stall}`,
    `Ihre Bestellung ${ref} ${reason}. Sie öffnet nicht mehr: ${titles}.`,
    'Zum Stand:',
    origin,
  ],
  invite: ({ stall, link }) => [
    `Ihr Konto bei ${stall}`,
    `bei ${stall} gibt es ein Konto für Sie. Öffnen Sie diesen Link, um ein Passwort zu wählen:`,
    link,
    'Der Link gilt einmal und 72 Stunden lang.',
  ],
  helper: ({ stall, link, origin }) => [
    `Mitarbeit bei ${stall}`,
    `${stall} lädt Sie ein, Bücher und Skills hinzuzufügen und zu bearbeiten und Hinweise aus der Leserschaft zu beantworten. Öffnen Sie diesen Link, um ein Passwort zu wählen:`,
    link,
    'Der Link gilt einmal und 72 Stunden lang. Danach finden Sie Ihre Arbeit hier:',
    `${origin}/admin/items`,
  ],
  reset: ({ stall, link }) => [
    `Neues Passwort bei ${stall}`,
    `jemand, hoffentlich Sie, hat bei ${stall} um ein neues Passwort gebeten. Öffnen Sie diesen Link, um es zu wählen:`,
    link,
    'Der Link gilt einmal und 72 Stunden lang.',
    MISTAKE,
  ],
  'sign-in': ({ stall, link }) => [
    `Anmelden bei ${stall}`,
    `jemand, hoffentlich Sie, möchte sich bei ${stall} anmelden. Öffnen Sie diesen Link im selben Browser:`,
    link,
    'In einem anderen Browser zeigt er einen Code, den Sie dort eingeben, wo Sie sich anmelden wollten. Er gilt einmal und 30 Minuten lang.',
    MISTAKE,
  ],
  open: ({ stall, link }) => [
    `Ihr Konto bei ${stall}`,
    `öffnen Sie diesen Link und wählen Sie ein Passwort; dann wird Ihr Konto bei ${stall} angelegt:`,
    link,
    'Der Link gilt einmal und 72 Stunden lang.',
    MISTAKE,
  ],
  email: ({ stall, link }) => [
    `Bestätigen Sie Ihre neue Adresse bei ${stall}`,
    `jemand, hoffentlich Sie, möchte diese Adresse für sein Konto bei ${stall} verwenden. Öffnen Sie diesen Link, um sie zu bestätigen:`,
    link,
    'Der Link gilt einmal und 24 Stunden lang.',
    MISTAKE,
  ],
  taken: ({ stall, origin }) => [
    `Sie haben ein Konto bei ${stall}`,
    'jemand, vielleicht Sie, möchte diese Adresse für ein anderes Konto verwenden. Sie hat schon ein eigenes, deshalb ändert sich nichts. Hier melden Sie sich an:',
    `${origin}/sign-in`,
  ],
  moving: ({ stall, holder, origin }) => [
    `Ihre Adresse bei ${stall} soll sich ändern`,
    `jemand, der Ihr Passwort kennt, möchte die Adresse Ihres Kontos auf ${holder} ändern. Bis der Link geöffnet wird, der dorthin ging, ändert sich nichts.`,
    'Waren Sie das nicht, wählen Sie sofort ein neues Passwort. Damit wird der Link ungültig, und alle anderen werden abgemeldet:',
    `${origin}/forgot`,
    'Hat sich die Adresse schon geändert, antworten Sie auf diese Mail, oder schreiben Sie den Betreibern.',
  ],
  'wrong-codes': ({ stall, origin }) => [
    `Falsche Codes für Ihr Konto bei ${stall}`,
    'jemand hat an einem Tag zehn falsche Codes Ihres zweiten Schritts eingegeben. Er kennt Ihr Passwort oder hat einen Link zu Ihrem Konto. Angemeldet ist er nicht.',
    'Waren Sie das nicht, dann wählen Sie jetzt ein neues Passwort:',
    `${origin}/dashboard/account/password`,
  ],
  'step-off': ({ stall, origin }) => [
    `Ihr zweiter Schritt bei ${stall} ist ausgeschaltet`,
    'der zweite Schritt Ihres Kontos wurde ausgeschaltet. Ab jetzt genügt Ihr Passwort zum Anmelden.',
    'Waren Sie das nicht, dann wählen Sie jetzt ein neues Passwort, und schalten Sie ihn wieder ein:',
    `${origin}/dashboard/account`,
  ],
  attention: ({ stall, count, origin }) => [
    count === '1'
      ? `Eine Bestellung bei ${stall} wartet auf Sie`
      : `${count} Bestellungen bei ${stall} warten auf Sie`,

    count === '1'
      ? 'um eine Bestellung müssen Sie sich kümmern:'
      : `um ${count} Bestellungen müssen Sie sich kümmern:`,
    `${origin}/admin/orders`,
  ],
  reports: ({ stall, count, origin }) => [
    count === '1'
      ? `Ein Hinweis aus der Leserschaft von ${stall}`
      : `${count} Hinweise aus der Leserschaft von ${stall}`,
    count === '1' ? 'ein Hinweis ist offen:' : `${count} Hinweise sind offen:`,
    `${origin}/admin/reports`,
  ],
  answered: ({ stall, titles, state, answer, origin }) => [
    `Ihr Hinweis bei ${stall}`,
    `Ihr Hinweis zu ${titles} ist als „${state}“ markiert.`,
    ...(answer === '' ? [] : [answer]),
    `Alles, was Sie an Autorinnen und Autoren gesendet haben, steht hier:\n${origin}/dashboard/notes#sent`,
  ],
  sale: ({ stall, titles, price, ref, sold, paid, buyer, count, order }) => [
    `${sold} bei ${stall}: ${titles}`,
    `Sie haben ${titles} für ${price} verkauft. ${paid}`,
    `Gekauft von: ${buyer}
Exemplare: ${count}
Bestellung: ${ref}`,
    order,
  ],
  'e-reader': ({ stall, titles }) => [
    `Ihr Buch von ${stall}`,
    `hier ist ${titles} für Ihren E-Reader. Sie haben es bei ${stall} angefordert.`,
  ],
  published: ({ stall, titles, read }) => [
    `Erschienen bei ${stall}: ${titles}`,
    `jetzt erschienen, und in Ihrer Bibliothek: ${titles}.`,
    `${yours.read}:\n${read}`,
  ],
  news: ({ stall, titles, news, link, read }) => [
    `Neu bei ${stall}: ${titles}`,
    news,
    `Hier öffnen Sie es:\n${read}`,
    `Sie bekommen diese Mail, weil Sie ${titles} gekauft haben oder besitzen. Dieser Link beendet solche Mails von ${stall}:`,
    link,
  ],
  subscribe: ({ stall, link }) => [
    `Bestätigen Sie Ihre Adresse für Neuigkeiten von ${stall}`,
    `jemand, hoffentlich Sie, möchte an diese Adresse Neuigkeiten von ${stall} bekommen. Mit diesem Link bestätigen Sie das:`,
    link,
    'Der Link gilt 7 Tage.',
    UNWANTED,
  ],
  'tell-me': ({ stall, titles, link }) => [
    `Bestätigen Sie, dass ${stall} Ihnen Bescheid sagen darf: ${titles}`,
    `jemand, hoffentlich Sie, möchte Bescheid bekommen, sobald ${titles} erscheint. Mit diesem Link bestätigen Sie Ihre Adresse:`,
    link,
    'Der Link gilt 7 Tage. Sie bekommen dann eine einzige Mail, danach wird Ihre Adresse vergessen.',
    UNWANTED,
  ],
  told: ({ stall, titles, link, read }) => [
    `Erschienen bei ${stall}: ${titles}`,
    `Sie wollten Bescheid bekommen: ${titles} ist erschienen.`,
    `Hier öffnen Sie es:\n${read}`,
    'Das war die eine Mail, um die Sie gebeten haben. Wollen Sie von diesem Stand gar keine Mails, öffnen Sie diesen Link:',
    link,
  ],
  bulletin: ({ stall, titles, news, link, read }) => [
    `Neu bei ${stall}: ${titles}`,
    news,
    `Hier öffnen Sie es:\n${read}`,
    `Sie bekommen diese Mail, weil Sie Neuigkeiten von ${stall} bestellt haben. Mit diesem Link bestellen Sie sie ab:`,
    link,
  ],
};
