import { searchable } from '../passages/searchable.ts';
import type { Tokenizer } from '../passages/words.ts';
import { soughtTokens } from './tokens.ts';

/** Tokens of readers' words, each with the tokens of the words that mean the same. */
export type Aliases = ReadonlyMap<string, readonly string[]>;

/** The aliases of an index as tokens; words of several tokens have none. */
export function readAliases(
  words: Readonly<Record<string, readonly string[]>>,
  tokenizer: Tokenizer,
): Aliases {
  const single = (word: string): readonly string[] => {
    const tokens = soughtTokens(searchable(word.toLowerCase()), tokenizer);
    return tokens.length === 1 ? tokens : [];
  };
  const aliases = new Map<string, readonly string[]>();
  for (const [word, others] of Object.entries(words))
    for (const token of single(word))
      aliases.set(token, [...(aliases.get(token) ?? []), ...others.flatMap(single)]);
  return aliases;
}

// Words that mean about the same to readers of English, each line in both directions. They are looked for only if the book
// lacks the reader's own word, so that no other question changes.
const SAME = `
internet network online web wifi offline
remove delete erase uninstall
buy purchase order pay
cost price fee charge
start begin launch run
stop end quit halt terminate
fix repair mend solve
error mistake fault failure bug problem
build make create construct
change modify alter edit
show display view
choose select pick
big large huge
small little tiny
fast quick rapid
slow sluggish
sick ill unwell
mom mother
dad father
car automobile vehicle
movie film
doctor physician
job work occupation
rich wealthy
poor needy
scared afraid frightened
angry furious wrathful
happy glad joyful
sad unhappy sorrowful
smart clever wise
hide conceal
steal rob
give grant bestow
help assist aid
answer reply
ask inquire
trip journey voyage
picture image photo
password passphrase secret
upgrade update
setup install configure
copy duplicate backup
free gratis
computer machine pc laptop
phone telephone
refugee exile emigrant
african africa
american america
australian australia
asian asia
european europe
italian italy
german germany
russian russia
indian india
canadian canada
mexican mexico
austrian austria
hungarian hungary
egyptian egypt
norwegian norway
brazilian brazil
japanese japan
chinese china
portuguese portugal
swiss switzerland
polish poland
swedish sweden
turkish turkey
greek greece
dutch netherlands holland
french france
spanish spain
danish denmark
scottish scotland
irish ireland
welsh wales
kid child
infant baby
village hamlet
forest wood
ocean sea
stone rock
road street path
ship boat vessel
gift present
king monarch
marry wed
bride wife
begin commence
finish complete
permit allow
forbid prohibit ban
attempt try
protect guard defend
shout yell scream cry
jump leap
toss throw hurl
murder kill slay
dead die death
deceive trick fool cheat
journey travel
weird strange odd
beautiful pretty lovely
ugly hideous
brave courageous bold
stubborn obstinate
hungry starving
tired weary exhausted
wage salary
swap exchange barter
shop store
decrease reduce lower
assemble gather collect
duration length
folder directory
transfer move migrate
revert undo restore
customer buyer
vendor seller
automatic automatically
email mail
`;

let found: Map<string, readonly string[]> | null = null;

/** The general list for English, made when it is first needed. */
export function synonyms(): Aliases {
  if (found !== null) return found;
  found = new Map<string, readonly string[]>();
  for (const line of SAME.trim().split('\n')) {
    const tokens = line.split(' ').flatMap((word) => soughtTokens(word, 'porter'));
    for (const token of tokens)
      found.set(token, [...(found.get(token) ?? []), ...tokens.filter((other) => other !== token)]);
  }
  return found;
}
