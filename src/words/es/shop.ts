import { formatsIn } from '../formats.ts';
import type { Words } from '../words.ts';
import { steps } from './connect.ts';

const f = formatsIn('es-ES');

type Count = { count: number };

const items = ({ count }: Count): string =>
  f.plural(count, { one: '1 título', other: `${f.number(count)} títulos` });
const files = ({ count }: Count): string =>
  f.plural(count, { one: '1 archivo', other: `${f.number(count)} archivos` });
const chapters = ({ count }: Count): string =>
  f.plural(count, { one: '1 capítulo', other: `${f.number(count)} capítulos` });

const home: Words['shop']['home'] = {
  description: ({ stall }) => `Libros y skills de ${stall}`,
  search: 'Búsqueda',
  searchButton: 'Buscar',
  placeholder: ({ count }) =>
    f.plural(count, {
      one: '1 título y su texto',
      other: `${f.number(count)} títulos y sus textos`,
    }),
  filters: 'Filtros',
  kind: 'Tipo',
  anyKind: 'Libros y skills',
  kinds: { book: 'Libros', skill: 'Skills' },
  price: 'Precio',
  anyPrice: 'Cualquier precio',
  prices: { free: 'Gratis', paid: 'De pago' },
  tag: 'Etiqueta',
  anyTag: 'Cualquier etiqueta',
  language: 'Idioma',
  anyLanguage: 'Cualquier idioma',
  order: 'Orden',
  orders: { title: 'De la A a la Z', newest: 'Más recientes' },
  items,
  found: ({ count }) =>
    f.plural(count, { one: '1 título encontrado', other: `${f.number(count)} títulos encontrados` }),
  showAll: 'Ver todo',
  bundles: ({ count }) => f.plural(count, { one: '1 paquete', other: `${f.number(count)} paquetes` }),
  noMatch: 'No hay resultados. Pruebe con menos palabras o con otras.',
  before: 'Anterior',
  after: 'Siguiente',
  look: 'Ver detalles',
  shelves: { featured: 'Destacados', books: 'Libros', bundles: 'Paquetes', skills: 'Skills' },
  emptyForOwner:
    'Los estantes están vacíos. Añada un libro o una skill en la oficina, que muestra lo que falta por hacer.',
  openOffice: 'Abrir la oficina',
  empty: 'Todavía no hay libros ni skills. El canal RSS le avisará cuando llegue el primero.',
  followFeed: 'Seguir el canal RSS',
  termsAt: ({ address }) => ['Las condiciones de esta tienda están en ', address, '.'],
  privacyAt: ({ address }) => ['La política de privacidad de esta tienda está en ', address, '.'],
  imprintAt: ({ address }) => ['El aviso legal de esta tienda está en ', address, '.'],
  contact: ({ stall, contact }) => [`Contacto de ${stall}: `, contact, '.'],
};

const search: Words['shop']['search'] = {
  title: 'Búsqueda',
  titleFor: ({ words }) => `Búsqueda: ${words}`,
  nothing: ({ words }) =>
    `No hay resultados para «${words}». Pruebe con otras palabras que puedan estar en el texto.`,
  titles: 'Títulos',
  all: ({ count }) => f.plural(count, { one: 'Ver 1 título', other: `Ver los ${f.number(count)} títulos` }),
  texts: 'En los textos',
  samplesOnly: (signIn) => [
    'En los libros de pago solo se ha buscado en las muestras. ',
    signIn('Inicie sesión'),
    ' para buscar en todos sus títulos.',
  ],
};

const item: Words['shop']['item'] = {
  draft: 'Esto es un borrador: solo lo ve usted.',
  private: 'Privado: solo lo ven las personas a las que se ha dado acceso.',
  archived: 'Este título ya no se vende. Quienes lo tienen lo conservan.',
  praise: 'Opiniones',
  about: () => 'Autoría',
  moreBy: () => 'Otros títulos de la misma autoría',
  fromSkill: 'Instrucciones para el agente',
  fromBook: 'Fragmento del libro',
  readOn: 'Seguir leyendo',
  side: 'Cómo conseguirlo',
  yoursSince: ({ when }) => ['En su biblioteca desde el ', when],
  inBrowser: 'en el navegador',
  forAgent: 'para su agente',
  chapters,
  chaptersAndTime: ({ count, time }) => `${chapters({ count })}, ${time}`,
  files,
  edition: ({ version }) => `Edición ${version}`,
  editionOf: ({ when }) => ['Edición del ', when],
  editionAndDay: ({ version, when }) => [`Edición ${version}, `, when],
  needs: ({ items }) => ['Necesita ', items, ', que «bookstall install» instala también'],
  signed: ({ signer, when }) => ['Firmado por ', signer, ', como todas las ediciones desde el ', when],
  signature: 'Firma',
  signedNow: ({ signer }) => ['Firmado por ', signer, ', desde hoy'],
  bought: ({ find, redeem }) => [
    '¿Ya lo compró? ',
    find('Recupere su compra'),
    ' o ',
    redeem('canjee un código'),
    '.',
  ],
  boughtUnproven: ({ email, account, redeem }) => [
    '¿Lo compró con ',
    email,
    ' o le dieron acceso? Estará disponible cuando confirme esta dirección ',
    account('en la página de su cuenta'),
    '. O ',
    redeem('canjee un código'),
    '.',
  ],
  boughtOrSignIn: ({ signIn, find, redeem }) => [
    '¿Ya lo compró? ',
    signIn('Inicie sesión'),
    ', ',
    find('recupere su compra'),
    ' o ',
    redeem('canjee un código'),
    '.',
  ],
  getFree: 'Obtener gratis',
  read: 'Leer',
  readSample: 'Leer la muestra',
  print: 'Imprimir',
  ask: 'Preguntar',
  facts: 'Detalles',
  publisher: 'Editorial',
  version: 'Versión',
  language: 'Idioma',
  licence: 'Licencia',
  formats: 'Formatos',
  tags: 'Etiquetas',
  contents: 'Índice',
  moreChapters: ({ count }) =>
    f.plural(count, { one: '1 capítulo más', other: `${f.number(count)} capítulos más` }),
  chaptersBefore: 'Capítulos anteriores',
  chaptersAfter: ({ last, count }) => `Capítulos después del ${f.number(last)} de ${f.number(count)}`,
};

const kind =
  (one: string, other: string) =>
  ({ count }: Count): string =>
    f.plural(count, { one: `1 ${one}`, other: `${f.number(count)} ${other}` });

const inside: Words['shop']['inside'] = {
  title: 'Qué contiene',
  none: 'No hay',
  files: 'Archivos',
  summary: ({ count, size, kinds }) => `${files({ count })}, ${size}: ${kinds}`,
  kinds: {
    markdown: kind('Markdown', 'Markdown'),
    script: kind('script', 'scripts'),
    program: kind('programa', 'programas'),
    image: kind('imagen', 'imágenes'),
    document: kind('documento', 'documentos'),
    archive: kind('archivo comprimido', 'archivos comprimidos'),
    text: kind('otro texto', 'otros textos'),
    other: kind('de otro tipo', 'de otro tipo'),
  },
  scripts: 'Scripts',
  facts: {
    executable: 'Marcados como ejecutables',
    program: 'Programas en formato binario',
    host: 'Hosts en direcciones web',
    tool: 'Herramientas permitidas',
    hidden: 'Caracteres ocultos',
  },
};

const agents: Words['shop']['agents'] = {
  summary: 'Para su agente y la línea de comandos',
  bookId: ({ id }) => ['El identificador de este libro es ', id, '.'],
  name: ({ name }) => ['El nombre de esta skill es ', name, '.'],
  keyNeeded: ({ key, yours }) => [
    'Las líneas con ',
    key,
    ' necesitan una clave de API de una cuenta con acceso a este título: guarde ',
    yours('la suya'),
    ' en esa variable de entorno.',
  ],
  noKey: 'No se necesita clave.',
  archive: 'Descargar todos los archivos en un tar.gz',
  worksWith: ({ clients }) => `Funciona con: ${clients}`,
  worksWithFindings: 'Funciona con: vea las observaciones',
  findingsOf: ({ client }) => `${client}: vea las observaciones`,
  clients: {
    'claude-code': 'Claude Code',
    'claude.ai': 'claude.ai',
    spec: 'Agent Skills',
    'well-known': 'El programa «skills»',
    mcp: 'Skills por MCP',
  },
  findings: {
    'front-matter-form': () =>
      'Un valor al principio de SKILL.md no tiene la forma que exige la especificación.',
    'unknown-front-matter-key': () =>
      'Al principio de SKILL.md hay un campo que la especificación no conoce.',
    'claude-code-key': () => 'Al principio de SKILL.md hay un campo que solo Claude Code entiende.',
    'upload-key': () => 'Al subir la skill, claude.ai rechaza un campo del principio de SKILL.md.',
    'upload-name': () => 'Al subir la skill, claude.ai rechaza su nombre.',
    'upload-tag': () => 'Al subir la skill, claude.ai rechaza las etiquetas XML en su nombre o descripción.',
    'listing-cut': () => 'Claude Code muestra solo el principio de la descripción.',
    'skill-name-form': () => 'El nombre contiene caracteres que no todos los agentes aceptan.',
    'skill-too-long': () => 'SKILL.md tiene más líneas de las que recomienda la especificación.',
    'skill-many-tokens': () => 'SKILL.md es más largo de lo que recomienda la especificación.',
    'deep-reference': () => 'Un archivo remite a otro que SKILL.md no menciona.',
    'skill-many-files': () => 'La skill tiene más archivos de los que se aceptan aquí.',
    'skill-many-bytes': () => 'La skill es más grande de lo que se acepta aquí.',
    'skill-large-archive': () =>
      'El archivo comprimido de la skill es más grande de lo que acepta el programa.',
    'skill-archive-name': () =>
      'El archivo comprimido contiene nombres de archivo que el programa no puede leer.',
  },
  fileTable: ({ count, size }) => `${files({ count })}, ${size} en total`,
  path: 'Ruta',
  size: 'Tamaño',
  bytesOf: ({ path, size }) => `Contenido de ${path}, ${size}`,
  noFiles: 'Todavía no hay archivos.',
  filesBefore: 'Archivos anteriores',
  filesAfter: 'Más archivos',
  digest: ({ digest }) => ['Suma de verificación de todos los archivos: ', digest],
  installSkill:
    'Comprueba cada archivo e instala la skill donde Claude Code la busca. Indique otro agente si usa otro, o ninguno para instalarla en el directorio actual.',
  installBook: 'Comprueba cada archivo e instala la carpeta en el directorio actual.',
  unpack: ({ folder }) => `Descomprime la carpeta ${folder} en el directorio actual.`,
  save: ({ file }) => `Guarda ${file}, que puede subirse a los agentes en la web.`,
  signature: 'Firma',
  ask: 'Preguntar',
  askFor: '¿De qué trata este libro?',
  askDoes: 'Muestra una respuesta basada en el libro, con citas.',
};

/** Files in one state, as `1 archivo añadido`; only the first of a list says of what. */
const changedFiles = (count: number, state: string, isFirst: boolean): string =>
  isFirst
    ? f.plural(count, { one: `1 archivo ${state}`, other: `${f.number(count)} archivos ${state}s` })
    : f.plural(count, { one: `1 ${state}`, other: `${f.number(count)} ${state}s` });

const news: Words['shop']['news'] = {
  title: 'Novedades',
  version: ({ version }) => `Versión ${version}`,
  first: 'La primera edición.',
  all: ({ count }) => `Ver las ${f.number(count)} ediciones`,
  table: 'Ediciones, de la más reciente a la más antigua',
  columns: { edition: 'Edición', day: 'Fecha', files: 'Archivos', state: 'Estado' },
  states: {
    served: 'Actual',
    kept: 'Se puede instalar',
    gone: 'Ya no disponible',
    withdrawn: 'Retirada',
  },
  added: 'Añadidos',
  changed: 'Modificados',
  removed: 'Eliminados',
  more: ({ count }) => `Y ${f.number(count)} más.`,
  changes: ({ added, changed, removed }) => {
    const all = [
      { count: added, state: 'añadido' },
      { count: changed, state: 'modificado' },
      { count: removed, state: 'eliminado' },
    ].filter(({ count }) => count > 0);
    const said = all.map(({ count, state }, n) => changedFiles(count, state, n === 0));
    return said.join(', ') || 'Ningún archivo modificado';
  },
};

const bundle: Words['shop']['bundle'] = {
  parts: 'En este paquete',
  held: 'Ya está en su biblioteca',
  alone: ({ price }) => `Por separado: ${price}`,
  together: ({ count }) => `${items({ count })} en total`,
  alsoIn: ({ bundle, count, price, whole }) => [
    'También en ',
    bundle,
    `, con ${count === 1 ? 'otro título' : `otros ${count} títulos`}: ${price} en lugar de ${whole}`,
  ],
  saved: ({ price, saved }) => `Por separado: ${price}. Ahorra ${saved}.`,
  some: ({ count }) => `Ya tiene ${items({ count })} de este paquete.`,
  all: 'Ya tiene todo lo que incluye.',
};

const buy: Words['shop']['buy'] = {
  button: ({ price }) => `Comprar por ${price}`,
  buttonFrom: ({ price }) => `Pague lo que quiera, ${price}`,
  noPrice: 'Todavía no tiene precio.',
  notYet: 'Todavía no está a la venta aquí.',
  askPublisher: ({ publisher }) => `Pregunte a ${publisher} cómo comprarlo.`,
  write: ({ contact }) => ['Para comprarlo, escriba a ', contact, '.'],
  demo: 'Una demostración: el pago es simulado. Volverá aquí y podrá leer al momento.',
  payAt: ({ provider }) => `El pago se hace en ${provider}. Después volverá aquí y podrá leer al momento.`,
  payAhead: ({ provider }) => `El pago se hace en ${provider}. Cuando se publique, estará en su biblioteca.`,
  payForKey: ({ provider }) =>
    `El pago se hace en ${provider}. Recibirá de allí un correo con una clave de licencia: escríbala aquí y podrá leer al momento.`,
  payAheadForKey: ({ provider }) =>
    `El pago se hace en ${provider}. Recibirá de allí un correo con una clave de licencia: escríbala aquí y podrá leer cuando se publique.`,
  news: 'Podemos escribirle sobre nuevas ediciones; para dejar de recibir esos correos basta un clic en uno de ellos.',
};

const connect: Words['shop']['connect'] = {
  title: 'Conectar su agente',
  description:
    'Comandos y ajustes listos para copiar, con los que un agente encuentra los libros y skills de esta tienda.',
  lead: 'Comandos y ajustes listos para copiar, agente por agente. Los títulos gratuitos no necesitan clave; solo hace falta para hacer preguntas.',
  owned: 'Conectar sus títulos',
  link: 'Un enlace para su agente',
  linkEmpty:
    'Ahora mismo este enlace no abre nada: la cuenta a la que pertenece no tiene ningún título para él.',
  linkTakes: 'Con él, los agentes que no pueden enviar una clave descargan estos títulos.',
  linkReads: 'Con él, los agentes que no pueden enviar una clave descargan y leen estos títulos.',
  linkServer:
    'La dirección para claude.ai y otros programas que se conectan a servidores MCP mediante un enlace:',
  recommended: 'Recomendado',
  otherWays: 'Otras maneras',
  keyFrom: ({ keys }) => ['La clave se crea en ', keys, '.'],
  putInto: ({ does, file }) => `${does} Pegue esto en ${file}:`,
  undo: ({ line }) => ['Para deshacerlo: ', line],
};

const accessibility: Words['shop']['accessibility'] = {
  title: 'Accesibilidad',
  ways: 'Modos de lectura',
  adjustable: 'Se puede modificar la apariencia',
  readable: 'Legible con lectura en voz alta o en braille dinámico',
  notFullyReadable: 'No es totalmente legible con lectura en voz alta o en braille dinámico',
  described: 'Tiene texto alternativo',
  conformance: 'Conformidad',
  noInformation: 'No hay información disponible',
  conforms: 'Esta publicación cumple los estándares de accesibilidad aceptados',
  certified: ({ name }) => `La publicación fue certificada por ${name}`,
  navigation: 'Navegación',
  contents: 'Índice',
  headings: 'Encabezados',
  rich: 'Contenido enriquecido',
  math: 'Matemáticas en MathML',
  hazards: 'Riesgos',
  noHazards: 'Sin riesgos',
  unknownHazards: 'Se desconoce si hay riesgos',
};

export const shop: Words['shop'] = {
  free: 'Gratis',
  private: 'Privado',
  noPrice: 'Aún sin precio',
  from: ({ price }) => `desde ${price}`,
  coming: ({ when }) => (when === null ? 'Próximamente' : `Próximamente: ${when}`),
  written: ({ percent }) => `${f.number(percent)}\u00a0% escrito`,
  byline: ({ makers, publisher }) => [makers, ', publicado por ', publisher],
  home,
  search,
  item,
  accessibility,
  inside,
  agents,
  news,
  bundle,
  buy,
  connect,
  steps,
};
