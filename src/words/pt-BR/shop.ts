import { formatsIn } from '../formats.ts';
import type { Words } from '../words.ts';
import { steps } from './connect.ts';

const f = formatsIn('pt-BR');

type Count = { count: number };

/** A count and its noun. Portuguese says one of 0 too, so that both forms need the number. */
const counted =
  (one: string, other: string) =>
  ({ count }: Count): string =>
    `${f.number(count)} ${f.plural(count, { one, other })}`;

const items = counted('título', 'títulos');
const files = counted('arquivo', 'arquivos');
const chapters = counted('capítulo', 'capítulos');
const results = counted('resultado', 'resultados');

const home: Words['shop']['home'] = {
  description: ({ stall }) => `Livros e skills de ${stall}`,
  search: 'Busca',
  searchButton: 'Buscar',
  placeholder: ({ count }) =>
    f.plural(count, {
      one: `${f.number(count)} título e seu texto`,
      other: `${f.number(count)} títulos e seus textos`,
    }),
  filters: 'Filtros',
  kind: 'Tipo',
  anyKind: 'Livros e skills',
  kinds: { book: 'Livros', skill: 'Skills' },
  price: 'Preço',
  anyPrice: 'Qualquer preço',
  prices: { free: 'Grátis', paid: 'Pago' },
  tag: 'Tag',
  anyTag: 'Qualquer tag',
  language: 'Idioma',
  anyLanguage: 'Qualquer idioma',
  order: 'Ordem',
  orders: { title: 'De A a Z', newest: 'Mais recentes' },
  items,
  found: ({ count }) => (count === 0 ? 'Nenhum resultado' : results({ count })),
  showAll: 'Mostrar tudo',
  bundles: counted('pacote', 'pacotes'),
  noMatch: 'Nada encontrado. Tente com menos palavras ou com outras.',
  before: 'Anterior',
  after: 'Próxima',
  look: 'Ver',
  shelves: { featured: 'Em destaque', books: 'Livros', bundles: 'Pacotes', skills: 'Skills' },
  emptyForOwner:
    'As prateleiras estão vazias. Adicione um livro ou uma skill no painel, que mostra o que falta fazer.',
  openOffice: 'Abrir o painel',
  empty: 'Ainda não há livros nem skills. O feed avisará quando chegarem os primeiros.',
  followFeed: 'Seguir o feed',
  termsAt: ({ address }) => ['Os termos e condições desta loja estão em ', address, '.'],
  privacyAt: ({ address }) => ['A política de privacidade desta loja está em ', address, '.'],
  imprintAt: ({ address }) => ['O aviso legal desta loja está em ', address, '.'],
  contact: ({ stall, contact }) => [`Fale com ${stall}: `, contact, '.'],
};

const search: Words['shop']['search'] = {
  title: 'Busca',
  titleFor: ({ words }) => `Busca: ${words}`,
  nothing: ({ words }) => `Nada encontrado para “${words}”. Tente outras palavras que possam estar no texto.`,
  titles: 'Títulos',
  all: ({ count }) =>
    f.plural(count, { one: items({ count }), other: `Todos os ${f.number(count)} títulos` }),
  texts: 'Nos textos',
  samplesOnly: (signIn) => [
    'Nos livros pagos, a busca foi feita só nas amostras. ',
    signIn('Entre'),
    ' para buscar em toda a sua biblioteca.',
  ],
};

const item: Words['shop']['item'] = {
  draft: 'Este é um rascunho: só você, que administra a loja, pode vê-lo.',
  private: 'Privado: só quem recebeu acesso vê este título.',
  archived: 'Este título não está mais à venda. Quem já o tem continua com acesso.',
  praise: 'O que dizem',
  about: () => 'Sobre a autoria',
  moreBy: () => 'Outros títulos da mesma autoria',
  fromSkill: 'Instruções para o agente',
  fromBook: 'Um trecho do livro',
  readOn: 'Continuar lendo',
  side: 'Como obter',
  yoursSince: ({ when }) => ['Na sua biblioteca desde ', when],
  inBrowser: 'no navegador',
  forAgent: 'para o seu agente',
  chapters,
  chaptersAndTime: ({ count, time }) => `${chapters({ count })}, ${time}`,
  files,
  edition: ({ version }) => `Edição ${version}`,
  editionOf: ({ when }) => ['Edição de ', when],
  editionAndDay: ({ version, when }) => [`Edição ${version}, `, when],
  needs: ({ items }) => ['Precisa de ', items, ', que “bookstall install” também instala'],
  signed: ({ signer, when }) => ['Assinado por ', signer, ', como todas as edições desde ', when],
  signature: 'Assinatura',
  signedNow: ({ signer }) => ['Assinado por ', signer, ', desde hoje'],
  bought: ({ find, redeem }) => [
    'Já comprou? ',
    find('Encontre sua compra'),
    ' ou ',
    redeem('resgate um código'),
    '.',
  ],
  boughtUnproven: ({ email, account, redeem }) => [
    'Comprou com ',
    email,
    ' ou recebeu acesso? Estará disponível quando você confirmar este endereço ',
    account('na página da sua conta'),
    '. Ou ',
    redeem('resgate um código'),
    '.',
  ],
  boughtOrSignIn: ({ signIn, find, redeem }) => [
    'Já comprou? ',
    signIn('Entre'),
    ', ',
    find('encontre sua compra'),
    ' ou ',
    redeem('resgate um código'),
    '.',
  ],
  getFree: 'Baixar grátis',
  read: 'Ler',
  readSample: 'Ler amostra',
  print: 'Imprimir',
  ask: 'Perguntar',
  facts: 'Detalhes',
  publisher: 'Editora',
  version: 'Versão',
  language: 'Idioma',
  licence: 'Licença',
  formats: 'Formatos',
  tags: 'Tags',
  contents: 'Sumário',
  moreChapters: ({ count }) => `Mais ${chapters({ count })}`,
  chaptersBefore: 'Capítulos anteriores',
  chaptersAfter: ({ last, count }) => `Depois do capítulo ${f.number(last)} de ${f.number(count)}`,
};

const inside: Words['shop']['inside'] = {
  title: 'O que há dentro',
  none: 'Não há',
  files: 'Arquivos',
  summary: ({ count, size, kinds }) => `${files({ count })}, ${size}: ${kinds}`,
  kinds: {
    markdown: counted('Markdown', 'Markdown'),
    script: counted('script', 'scripts'),
    program: counted('programa', 'programas'),
    image: counted('imagem', 'imagens'),
    document: counted('documento', 'documentos'),
    archive: counted('arquivo compactado', 'arquivos compactados'),
    text: counted('outro texto', 'outros textos'),
    other: counted('outro', 'outros'),
  },
  scripts: 'Scripts',
  facts: {
    executable: 'Marcados como executáveis',
    program: 'Programas em formato binário',
    host: 'Hosts em endereços da web',
    tool: 'Ferramentas permitidas',
    hidden: 'Caracteres ocultos',
  },
};

const agents: Words['shop']['agents'] = {
  summary: 'Para o seu agente e a linha de comando',
  bookId: ({ id }) => ['O ID deste livro é ', id, '.'],
  name: ({ name }) => ['O nome desta skill é ', name, '.'],
  keyNeeded: ({ key, yours }) => [
    'As linhas com ',
    key,
    ' precisam de uma chave de API de uma conta com acesso ao título: guarde ',
    yours('a sua'),
    ' nessa variável de ambiente.',
  ],
  noKey: 'Não é preciso ter chave.',
  archive: 'Baixar todos os arquivos em tar.gz',
  worksWith: ({ clients }) => `Compatível com: ${clients}`,
  worksWithFindings: 'Compatível com: veja as observações',
  findingsOf: ({ client }) => `${client}: veja as observações`,
  clients: {
    'claude-code': 'Claude Code',
    'claude.ai': 'claude.ai',
    spec: 'Agent Skills',
    'well-known': 'O programa “skills”',
    mcp: 'Skills via MCP',
  },
  findings: {
    'front-matter-form': () => 'Um valor no início do SKILL.md não tem o formato exigido pela especificação.',
    'unknown-front-matter-key': () => 'No início do SKILL.md há um campo que a especificação não conhece.',
    'claude-code-key': () => 'No início do SKILL.md há um campo que só o Claude Code entende.',
    'upload-key': () => 'No upload, o claude.ai recusa um campo do início do SKILL.md.',
    'upload-name': () => 'No upload, o claude.ai recusa o nome da skill.',
    'upload-tag': () => 'No upload, o claude.ai recusa tags XML no nome e na descrição.',
    'listing-cut': () => 'O Claude Code mostra só o começo da descrição.',
    'skill-name-form': () => 'O nome tem caracteres que nem todo agente aceita.',
    'skill-too-long': () => 'O SKILL.md tem mais linhas do que a especificação recomenda.',
    'skill-many-tokens': () => 'O SKILL.md é mais longo do que a especificação recomenda.',
    'deep-reference': () => 'Um arquivo remete a outro que o SKILL.md não menciona.',
    'skill-many-files': () => 'A skill tem mais arquivos do que este agente aceita.',
    'skill-many-bytes': () => 'A skill é maior do que este agente aceita.',
    'skill-large-archive': () => 'O arquivo compactado da skill é maior do que o programa aceita.',
    'skill-archive-name': () => 'O arquivo compactado tem nomes que o programa não consegue ler.',
  },
  fileTable: ({ count, size }) => `${files({ count })}, ${size} no total`,
  path: 'Caminho',
  size: 'Tamanho',
  bytesOf: ({ path, size }) => `Conteúdo de ${path}, ${size}`,
  noFiles: 'Ainda não há arquivos.',
  filesBefore: 'Arquivos anteriores',
  filesAfter: 'Próximos arquivos',
  digest: ({ digest }) => ['Hash de todos os arquivos: ', digest],
  installSkill:
    'Verifica cada arquivo e instala a skill onde o Claude Code a procura. Você pode indicar outro agente ou nenhum; nesse caso, ela vai para a pasta atual.',
  installBook: 'Verifica cada arquivo e instala a pasta do livro na pasta atual.',
  unpack: ({ folder }) => `Extrai a pasta ${folder} na pasta atual.`,
  save: ({ file }) => `Salva ${file}, que os agentes na web aceitam por upload.`,
  signature: 'Assinatura',
  ask: 'Perguntar',
  askFor: 'Sobre o que é este livro?',
  askDoes: 'Mostra uma resposta tirada do livro, com citações, à medida que ela chega.',
};

const news: Words['shop']['news'] = {
  title: 'Novidades',
  version: ({ version }) => `Versão ${version}`,
  first: 'A primeira edição.',
  all: ({ count }) => `Todas as ${f.number(count)} edições`,
  table: 'Edições, da mais recente para a mais antiga',
  columns: { edition: 'Edição', day: 'Data', files: 'Arquivos', state: 'Situação' },
  states: {
    served: 'Atual',
    kept: 'Pode ser instalada',
    gone: 'Não está mais disponível',
    withdrawn: 'Retirada',
  },
  added: 'Adicionados',
  changed: 'Alterados',
  removed: 'Removidos',
  more: ({ count }) => `E mais ${f.number(count)}.`,
  changes: ({ added, changed, removed }) => {
    const all = [
      { count: added, one: 'adicionado', other: 'adicionados' },
      { count: changed, one: 'alterado', other: 'alterados' },
      { count: removed, one: 'removido', other: 'removidos' },
    ].filter(({ count }) => count > 0);
    const said = all.map(
      ({ count, one, other }, n) =>
        `${n === 0 ? files({ count }) : f.number(count)} ${f.plural(count, { one, other })}`,
    );
    return said.join(', ') || 'Nenhum arquivo alterado';
  },
};

const bundle: Words['shop']['bundle'] = {
  parts: 'Neste pacote',
  held: 'Você já tem',
  alone: ({ price }) => `Avulso: ${price}`,
  together: ({ count }) => `${items({ count })} em um só pacote`,
  alsoIn: ({ bundle, count, price, whole }) => [
    'Também em ',
    bundle,
    `, com ${count === 1 ? 'mais um título' : `mais ${count} títulos`}: ${price} em vez de ${whole}`,
  ],
  saved: ({ price, saved }) => `Avulsos: ${price}. Você economiza ${saved}`,
  some: ({ count }) => `Você já tem ${items({ count })} deste pacote.`,
  all: 'Você já tem tudo o que há neste pacote.',
};

const buy: Words['shop']['buy'] = {
  button: ({ price }) => `Comprar por ${price}`,
  buttonFrom: ({ price }) => `Escolher o preço, ${price}`,
  noPrice: 'O preço ainda não foi definido.',
  notYet: 'Ainda não está à venda aqui.',
  askPublisher: ({ publisher }) => `Para comprar, fale com ${publisher}.`,
  write: ({ contact }) => ['Para comprar, escreva para ', contact, '.'],
  demo: 'Demonstração: o pagamento é simulado. Depois, você voltará para cá e já poderá ler.',
  payAt: ({ provider }) =>
    `O pagamento é feito em ${provider}. Depois, você voltará para cá e já poderá ler.`,
  payAhead: ({ provider }) => `O pagamento é feito em ${provider}. No lançamento, estará na sua biblioteca.`,
  payForKey: ({ provider }) =>
    `O pagamento é feito em ${provider}. O e-mail de lá traz uma chave de licença: informe-a aqui e já poderá ler.`,
  payAheadForKey: ({ provider }) =>
    `O pagamento é feito em ${provider}. O e-mail de lá traz uma chave de licença: informe-a aqui e poderá ler a partir do lançamento.`,
  news: 'Podemos avisar você por e-mail sobre novas edições; para parar, basta um clique na mensagem.',
};

const connect: Words['shop']['connect'] = {
  title: 'Conecte seu agente',
  description:
    'Comandos e configurações prontos para copiar, com os quais um agente encontra os livros e as skills desta loja.',
  lead: 'Comandos e configurações prontos para copiar, agente por agente. Os títulos gratuitos não exigem chave; ela só é necessária para fazer perguntas.',
  owned: 'Conectar sua biblioteca',
  link: 'Um link para o seu agente',
  linkEmpty: 'Este link não abre nada no momento: a conta dele não tem nenhum título correspondente.',
  linkTakes: 'Com ele, até agentes que não conseguem enviar uma chave baixam estes títulos.',
  linkReads: 'Com ele, até agentes que não conseguem enviar uma chave baixam e leem estes títulos.',
  linkServer: 'O endereço para o claude.ai e outros programas que se conectam a servidores MCP por um link:',
  recommended: 'Recomendado',
  otherWays: 'Outras formas',
  keyFrom: ({ keys }) => ['A chave é criada em ', keys, '.'],
  putInto: ({ does, file }) => `${does} Cole isto em ${file}:`,
  undo: ({ line }) => ['Para desfazer: ', line],
};

const accessibility: Words['shop']['accessibility'] = {
  title: 'Acessibilidade',
  ways: 'Formas de leitura',
  adjustable: 'A aparência pode ser modificada',
  readable: 'Legível com leitura em voz alta ou em braille dinâmico',
  notFullyReadable: 'Não totalmente legível com leitura em voz alta ou em braille dinâmico',
  described: 'Tem texto alternativo',
  conformance: 'Conformidade',
  noInformation: 'Nenhuma informação disponível',
  conforms: 'Esta publicação atende aos padrões de acessibilidade aceitos',
  certified: ({ name }) => `A publicação foi certificada por ${name}`,
  navigation: 'Navegação',
  contents: 'Sumário',
  headings: 'Cabeçalhos',
  rich: 'Conteúdo avançado',
  math: 'Matemática em MathML',
  hazards: 'Riscos',
  noHazards: 'Sem riscos',
  unknownHazards: 'Não se sabe se há riscos',
};

export const shop: Words['shop'] = {
  free: 'Grátis',
  private: 'Privado',
  noPrice: 'Ainda sem preço',
  from: ({ price }) => `a partir de ${price}`,
  coming: ({ when }) => (when === null ? 'Em breve' : `Lançamento: ${when}`),
  written: ({ percent }) => `${f.number(percent)}% escrito`,
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
