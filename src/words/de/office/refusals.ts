import { formatsIn } from '../../formats.ts';
import type { OfficeWords } from '../../office.ts';
import { orders } from './selling.ts';

const f = formatsIn('de-DE');

/** A name that comes with English quotation marks, in German ones. */
const quoted = (name: string | number): string => String(name).replace(/^"(.*)"$/s, '„$1“');

const withComma = (price: string | number): string => String(price).replace('.', ',');

export const refusals: OfficeWords['refusals'] = {
  noAccountOf: ({ email }) => `Ein Konto „${email}“ gibt es nicht: Unter „Konten“ stehen alle`,
  ownerIsThere: ({ email, owner }) =>
    `„${email}“ kann nicht Eigentümer werden: Das ist „${owner}“, und ein Stand hat nur einen`,
  accountIsThere: ({ email }) => `„${email}“ hat schon ein Konto`,
  noAccount: 'Dieses Konto gibt es nicht: Suchen Sie es unter „Konten“',
  editorIsOwner: 'Sie selbst brauchen keine Einladung zur Mitarbeit: Als Eigentümer dürfen Sie alles',
  editorDisabled: ({ email }) =>
    `„${email}“ kann nicht mitarbeiten: Das Konto ist gesperrt; entsperren Sie es zuerst`,
  noEditor: 'Diese Person arbeitet hier nicht mit: Laden Sie die Seite neu',
  neverPublished: ({ slug }) =>
    `Einen Titel „${slug}“ gab es hier nie: Prüfen Sie den Kurznamen, und laden Sie die Inhalte neu, wenn er gerade dazukam`,
  grantNotHeld: 'Diesen Zugang gibt es nicht, oder er ist schon entzogen',
  grantSource: ({ slug, source }) =>
    `Zugang zu „${slug}“ lässt sich nicht mit der Herkunft „${source}“ geben: Solche Namen sind Verkäufen, Codes und Gruppen vorbehalten; wählen Sie einen anderen`,
  grantSpan: ({ slug, from, until }) =>
    `Zugang zu „${slug}“ lässt sich nicht von ${from} bis ${until} geben: Das Ende muss nach dem Beginn liegen`,
  noGroup: ({ name }) => `Eine Gruppe „${name}“ gibt es nicht: Unter „Gruppen“ stehen alle`,
  groupName: ({ value, longest }) =>
    `„${value}“ geht nicht als Name einer Gruppe: Nehmen Sie 1 bis ${longest} Zeichen aus a-z, 0-9 und „-“, zum Beispiel „rezensenten“`,
  groupIsThere: ({ name }) => `Eine Gruppe „${name}“ gibt es schon`,
  linkTaken: ({ email, address }) =>
    `Für „${email}“ lässt sich kein Link anlegen: „${address}“ hat schon ein Konto`,
  linkDisabled: ({ email }) =>
    `Für „${email}“ lässt sich kein Link anlegen: Das Konto ist gesperrt; entsperren Sie es zuerst`,
  linkHasPassword: ({ email }) =>
    `Für „${email}“ lässt sich kein Einladungslink anlegen: Das Konto hat schon ein Passwort; legen Sie einen Link für ein neues an`,
  linkNoPassword: ({ email }) =>
    `Für „${email}“ lässt sich so kein Link anlegen: Er fragt nach dem Passwort, und das Konto hat noch keines; geben Sie zuerst einen Einladungslink weiter`,
  linkNotOpen: 'Dieser Link ist schon benutzt oder widerrufen',
  needsCode: 'Dafür ist ein Code aus Ihrer App nötig: Der letzte ist über 15 Minuten her',
  needsProxySignIn:
    'Zugangsdaten lassen sich so nicht ändern: Ihre Anmeldung ist über 15 Minuten her; melden Sie sich an Ihrem Proxy ab und wieder an',
  needsPasswordAgain: 'Geben Sie Ihr Passwort ein: Ihre Anmeldung ist über 15 Minuten her',
  mailPasswordOfUser: 'Geben Sie das Passwort ein: Zu einem Benutzernamen gehört eines',
  mailPasswordElsewhere:
    'Geben Sie das Passwort neu ein: Das aufbewahrte gilt nur für den bisherigen Server, den bisherigen Benutzernamen und die bisherige Verschlüsselung',
  mailFailed: ({ host, fault, said }) =>
    `Über den Server ${host} ließ sich keine Mail senden. ${fault}. Gemeldet wurde „${said}“`,
  fileTooLarge: ({ size }) => `Die Datei ist größer als ${size}: Wählen Sie eine kleinere`,
  notAPrice: ({ said, code, example }) =>
    `„${said}“ ist kein Preis in ${code}: Schreiben Sie ihn wie ${withComma(example)}`,
  priceTooLong: ({ said }) =>
    `„${said}“ geht nicht als Preis: Er darf höchstens neun Ziffern haben, Cent eingeschlossen`,
  giveUnticked: () =>
    'Noch wurde nichts gegeben: Der Titel ist nicht öffentlich, und jeder, der hier ein Konto anlegen kann, hätte ihn dann. Kreuzen Sie das Kästchen an, wenn es so sein soll',
  noPassword: 'Geben Sie Ihr Passwort ein',
  noItem: ({ slug }) => `Einen Titel „${slug}“ gibt es nicht: Unter „Titel“ stehen alle`,
  noEdition: ({ wanted, slug }) =>
    `Eine Ausgabe „${wanted}“ von „${slug}“ gibt es nicht: Unter „Ausgaben“ stehen alle`,
  editionServed: ({ named, slug }) =>
    `Die Ausgabe ${quoted(named)} von „${slug}“ ist im Angebot und lässt sich nicht zurückziehen: Setzen Sie den Titel zuerst auf eine andere Ausgabe zurück`,
  accountOfOwner: ({ email }) =>
    `„${email}“ ist das Konto des Eigentümers und lässt sich hier nicht sperren: Das geht mit „bookstall account disable“`,
  noGrant: 'Diesen Zugang gibt es nicht: Öffnen Sie das Konto, und wählen Sie einen aus seiner Liste',
  noKey: 'Diesen Schlüssel gibt es nicht: Öffnen Sie das Konto, und wählen Sie einen aus seiner Liste',
  noLink: 'Dieser Link ist benutzt, abgelaufen oder widerrufen: Öffnen Sie die Liste der Links',
  engineFixed: ({ setBy }) => `Wer antwortet, lässt sich hier nicht ändern: ${setBy} legt es fest`,
  modelKeyElsewhere:
    'Geben Sie den Schlüssel neu ein: Der aufbewahrte gilt nur für die bisherige Adresse, den bisherigen Anbieter und das bisherige Protokoll',
  noEngine: 'Wählen Sie, wer antwortet',
  settingFixed: ({ source }) => `Das lässt sich hier nicht ändern: ${source} legt es fest`,
  noBackup: 'Diese Sicherung gibt es nicht mehr: Wählen Sie eine andere',
  bundlesFixed: 'Pakete lassen sich hier nicht ändern: stall.yaml legt sie fest',
  noBundle: 'Dieses Paket gibt es nicht: Laden Sie die Seite neu',
  bundlePrice: ({ example }) => `Das ist kein Preis: Schreiben Sie ihn wie ${withComma(example)}`,
  bundleSlugTaken: ({ slug }) => `„${slug}“ ist schon der Kurzname eines anderen Pakets oder eines Titels`,
  noMailHost: 'Ohne Server lassen sich keine Mails senden: Geben Sie seinen Namen an',
  mailPort: ({ port }) =>
    `An Port „${port}“ ist kein Mailserver zu erreichen: Fast immer ist es 465 oder 587`,
  noMailUser: 'Mit einem Passwort allein kann sich niemand anmelden: Geben Sie auch den Benutzernamen an',
  noMailServer: 'Noch lassen sich keine Mails senden: Richten Sie zuerst den Mailserver ein',
  noProvider: 'Diesen Zahlungsanbieter gibt es hier nicht: Laden Sie die Seite neu',
  noProviderKey: 'Geben Sie den Schlüssel ein',
  settingChanged: ({ now }) =>
    `Das wurde geändert, seit Sie diese Seite geöffnet haben, und ist jetzt „${now}“. Speichern Sie noch einmal, um es zu ersetzen`,
  noSetting: 'Diese Einstellung gibt es nicht: Laden Sie die Seite neu',
  shopSettingFixed: ({ label }) => `„${label}“ lässt sich hier nicht ändern: stall.yaml legt es fest`,
  noLogo: 'Wählen Sie ein Bild',
  notALogo: 'Diese Datei geht nicht als Logo: Wählen Sie ein Bild als SVG, PNG, JPEG oder WebP',
  noFile: 'Wählen Sie eine Datei zum Hinzufügen, oder kreuzen Sie eine zum Entfernen an',
  notACurrency: ({ currency }) =>
    `„${currency}“ ist keine Währung: Schreiben Sie ihr Kürzel, zum Beispiel eur`,
  webhookFixed: ({ source }) =>
    `Hier lässt sich nichts verbinden: ${source} legt das Geheimnis des Webhooks fest`,
  sellNoPrice: ({ slug }) =>
    `„${slug}“ lässt sich nicht ohne Preis verkaufen: Geben Sie einen an, und speichern Sie`,
  sellErrors: ({ slug }) => `„${slug}“ lässt sich nicht verkaufen, solange item.yaml Fehler hat`,
  testSaleUnsigned: ({ name }) =>
    `Ein Testverkauf über ${name} geht nicht: Dort werden Webhooks nicht signiert`,
  testSaleNoKey: ({ name }) =>
    `Ein Testverkauf über ${name} geht noch nicht: Verbinden Sie ${name} zuerst mit einem Schlüssel für echte Verkäufe`,
  testSaleNoItem: ({ name }) =>
    `Ein Testverkauf über ${name} geht noch nicht: Dort wird noch kein Titel verkauft; legen Sie einen in seinem Formular an`,
  itemNotKept: ({ slug }) =>
    `${quoted(slug)} lässt sich hier nicht bearbeiten: Ein solcher Titel wurde hier weder hinzugefügt noch hierher gesendet; Titel des Inhaltsordners bearbeiten Sie in ihren Dateien`,
  notASlug: ({ slug }) =>
    `${quoted(slug)} geht nicht als Kurzname: Nehmen Sie Kleinbuchstaben, Ziffern und einzelne Bindestriche, zum Beispiel feldnotizen`,
  itemIsThere: ({ taken }) =>
    `${quoted(taken)} gibt es hier schon: Öffnen Sie den Titel unter „Titel“, um seine Dateien zu ersetzen, oder nehmen Sie einen anderen Kurznamen`,
  itemChanged:
    'Nicht gespeichert: Der Titel wurde in der Zwischenzeit geändert. Sehen Sie ihn sich an, oder speichern Sie noch einmal, um die Änderung zu ersetzen',
  noImportFile: 'Wählen Sie eine Datei',
  notACover: ({ name }) =>
    `${quoted(name)} geht nicht als Cover: Wählen Sie ein Bild als JPEG, PNG oder WebP`,
  notAnAttachment: ({ name }) =>
    `${quoted(name)} lässt sich nicht anhängen: Wählen Sie ein PDF, ein EPUB oder eine Aufnahme`,
  attachmentIsThere: ({ name }) =>
    `${quoted(name)} lässt sich nicht anhängen: Der Titel hat schon eine andere Datei dieses Namens; benennen Sie Ihre um`,
  codesUntil: ({ until }) => `Codes bis ${until} gehen nicht: Dieser Tag ist vorbei`,
  noCodeOf: ({ id }) => `Den Code ${id} gibt es nicht: Unter „Gutscheincodes“ stehen alle`,
  codeRevoked: ({ id }) => `Der Code ${id} ist schon widerrufen`,
  tooManyCodes: ({ mostCodes }) => `So viele Codes gehen nicht: Nehmen Sie 1 bis ${mostCodes}`,
  tooManyUses: ({ mostUses }) => `So viele Einlösungen gehen nicht: Nehmen Sie 1 bis ${mostUses}`,
  codeNote: ({ longestCodeNote }) =>
    `Diese Notiz geht nicht: Schreiben Sie eine Zeile mit höchstens ${longestCodeNote} Zeichen`,
  notADay: ({ value }) => `„${value}“ ist kein Tag: Schreiben Sie ihn wie 2027-01-31`,
  notANumber: ({ value, name }) =>
    `„${value}“ geht nicht als Anzahl der ${name === 'uses' ? 'Einlösungen' : 'Codes'}: Geben Sie eine ganze Zahl ab 1 an`,
  noCode: 'Diesen Code gibt es nicht: Öffnen Sie die Liste der Gutscheincodes',
  noMail: ({ id }) => `Die Mail ${id} gibt es nicht: Unter „Mails“ stehen alle`,
  mailWaits: ({ id }) => `Die Mail ${id} wartet schon darauf, gesendet zu werden`,
  sendsNoMail:
    'Der Link lässt sich nicht mailen: Dieser Stand sendet keine Mails; legen Sie den Link an, und senden Sie ihn selbst, oder richten Sie den Mailserver ein',
  mailDisabled: ({ email }) =>
    `„${email}“ bekommt keine Mail: Das Konto ist gesperrt; entsperren Sie es zuerst`,
  orderNoItem: ({ id }) =>
    `Bestellung ${id} lässt sich nicht freigeben: Geben Sie an, welcher Titel gekauft wurde`,
  orderUnproven: ({ id, email }) =>
    `Bestellung ${id} lässt sich dem Konto „${email}“ noch nicht zuordnen: Diese Adresse hat noch niemand bestätigt, also kann sie jemand anders eingegeben haben; lassen Sie zuerst einen Link dorthin mailen`,
  noOrderOf: ({ name }) =>
    `Eine Bestellung „${name}“ gibt es nicht: Geben Sie ihre Bestellnummer an, zum Beispiel 7KQ2M-X4TRD`,
  orderReference: 'Diese Bestellnummer geht nicht: Nehmen Sie 1 bis 100 Zeichen in einer Zeile',
  claimUnpaid: ({ ref, state }) =>
    `Zu Bestellung ${ref} lässt sich kein Link anlegen: Das geht nur mit bezahlten, und ihr Stand ist „${orders.states[state]}“`,
  claimErased: ({ ref }) =>
    `Zu Bestellung ${ref} lässt sich kein Link anlegen: Die Personendaten sind gelöscht; ordnen Sie die Bestellung einem Konto zu`,
  claimGiven: ({ ref }) =>
    `Zu Bestellung ${ref} lässt sich kein Link anlegen: Sie ist ein Geschenk geworden, das sein Code öffnet`,
  claimHeld: ({ ref, account }) =>
    `Zu Bestellung ${ref} lässt sich kein Link anlegen: Sie gehört schon zum Konto „${account}“`,
  tellNoMail: ({ slug }) =>
    `Zu „${slug}“ lässt sich nichts mailen: Dieser Stand sendet keine Mails; richten Sie zuerst den Mailserver ein`,
  tellNoNotes: ({ slug }) =>
    `Zu dieser Ausgabe von „${slug}“ sind keine Neuerungen angegeben, oder sie ist zurückgezogen: Schreiben Sie den Text selbst`,
  tellWords: ({ slug, longestTitle, longestText }) =>
    `Zu „${slug}“ lässt sich diese Mail nicht senden: Schreiben Sie einen Betreff mit höchstens ${longestTitle} und einen Text mit höchstens ${f.number(Number(longestText))} Zeichen`,
  answerTooLong: ({ longestNote }) =>
    `Diese Antwort lässt sich nicht senden: Schreiben Sie höchstens ${f.number(Number(longestNote))} Zeichen`,
  noReport: 'Diesen Hinweis gibt es nicht: Laden Sie die Liste neu',
  noOrder: 'Diese Bestellung gibt es nicht: Öffnen Sie sie aus der Liste der Bestellungen',
};
