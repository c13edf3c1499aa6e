import { formatsIn } from '../formats.ts';
import type { Words } from '../words.ts';

const f = formatsIn('pt-BR');

const VERBS = {
  look: 'ver',
  read: 'ler',
  install: 'instalar',
  zip: 'baixar',
  take: 'obter',
  files: 'ler os arquivos de',
  ask: 'fazer perguntas a',
};

const account: Words['refusals']['account'] = {
  overPlainHttp:
    'Não é possível entrar por http simples a partir de outra máquina. Abra a loja por https ou inicie-a com --insecure-http.',
  hasOwner: 'Esta loja já tem quem a administre. Entre na sua conta.',
  byProxy: 'Esta loja não usa senhas: a entrada é pelo login da sua organização. Vá para a página inicial.',
  proxyHeader: ({ header }) =>
    `O login está mal configurado: o proxy precisa enviar o cabeçalho ${header} uma vez, com um endereço de e-mail em ASCII. Avise a loja.`,
  proxyUnknown: ({ address }) => `Esta loja não tem uma conta para ${address}. Peça uma à loja.`,
  cannotMailLink: 'Esta loja não envia e-mails. Peça um link à loja.',
  cannotSignUp: 'Não é possível criar uma conta por aqui. Peça uma à loja.',
  cannotMailNews: 'Esta loja não envia e-mails e, por isso, não envia novidades.',
  cannotEndNews:
    'Este link não cancela as novidades: ele expirou ou não foi criado aqui. Cancele na página da sua conta.',
  notAnEReader: ({ text }) =>
    `Não é possível enviar um livro para “${text}”. Digite um endereço que termine em @kindle.com ou @pbsync.com.`,
  mailedEnough: ({ most }) =>
    `Não é possível enviar mais de ${most} livros em 24 horas para um e-reader. Tente de novo amanhã ou baixe o EPUB.`,
  bookTooLarge: ({ size, most }) =>
    `Este EPUB tem ${size} e é grande demais para um e-mail: o máximo é ${most}. Baixe o arquivo.`,
  notAnEmail: ({ text }) => `“${text}” não é um endereço de e-mail. Escreva no formato nome@example.org.`,

  wrongSignIn: 'O e-mail ou a senha está incorreto. Digite os dois de novo ou redefina a senha.',
  wrongSignInCode: ({ most }) =>
    `Este código ou link está incorreto ou já foi usado. Depois de ${most} códigos incorretos, peça um novo e-mail.`,
  disabled: 'Esta conta está desativada. Peça à loja para reativá-la.',
  passwordChanged: 'Enquanto você entrava, a senha foi alterada ou a conta foi desativada. Entre de novo.',
  signInLater: ({ seconds }) =>
    f.plural(seconds, {
      one: 'Houve muitas tentativas sem sucesso. Espere um segundo e tente de novo.',
      other: `Houve muitas tentativas sem sucesso. Espere ${f.number(seconds)} segundos e tente de novo.`,
    }),
  passwordsLater: 'Há muita gente entrando agora. Tente de novo em um segundo.',

  wrongSecondCode:
    'O código está errado, é antigo demais ou já foi usado. Digite o que o seu aplicativo mostra agora.',
  secondCodesLater: ({ seconds }) =>
    f.plural(Math.ceil(seconds / 60), {
      one: 'Houve muitos códigos errados. Espere um minuto e tente de novo.',
      other: `Houve muitos códigos errados. Espere ${f.number(Math.ceil(seconds / 60))} minutos ou use o outro tipo de código.`,
    }),
  codeTooLate: 'Faz mais de cinco minutos que a senha foi digitada. Entre de novo.',
  wrongStepPassword: 'A senha está errada. Digite-a de novo.',

  passwordBlank: 'A senha está em branco. Digite uma.',
  passwordShort: ({ count, fewest }) =>
    f.plural(count, {
      one: `A senha é curta demais: tem ${f.number(count)} caractere. Use no mínimo ${f.number(fewest)}; o ideal é usar várias palavras.`,
      other: `A senha é curta demais: tem ${f.number(count)} caracteres. Use no mínimo ${f.number(fewest)}; o ideal é usar várias palavras.`,
    }),
  passwordLong: ({ count, most }) =>
    `A senha é longa demais: tem ${f.number(count)} caracteres. Use no máximo ${f.number(most)}.`,
  passwordIsName:
    'Esta senha é fácil demais de adivinhar: é o seu e-mail ou o nome desta loja. Escolha outra; o ideal é usar várias palavras.',
  passwordIsCommon:
    'Esta senha é fácil demais de adivinhar: é uma das mais comuns que existem. Escolha outra; o ideal é usar várias palavras.',
  wrongCurrent: 'A senha atual está errada. Digite-a de novo.',

  emailIsYours: ({ email }) => `“${email}” já é o seu e-mail. Digite outro.`,
  emailUnmailable: ({ email }) => `Não é possível enviar mensagens para “${email}”. Digite outro e-mail.`,
  emailWrongPassword: 'A senha está errada. Digite-a de novo.',
  emailNotTheirs:
    'Digite a senha da conta que pediu a alteração. Se não foi você que pediu, feche esta página.',
  emailNeedsSignIn: 'Entre na conta que pediu este e-mail e abra o link de novo.',
  signInFirst: 'Para isso, entre mais uma vez com um link por e-mail.',
  wrongPassword: 'A senha está incorreta. Digite-a de novo.',
  noSession: 'Essa sessão já foi encerrada.',
  noAssistant: 'Esse assistente já foi desconectado.',

  linkUnusable:
    'Este link não vale mais: já foi usado, expirou ou não foi criado aqui. Se você tem uma conta, entre; se não, peça um novo link à loja.',
  linkOfAccount: 'O e-mail deste link já tem uma conta. Entre e abra o link de novo.',

  claimsLater: 'Houve muitas buscas por compras desconhecidas. Espere um minuto e recarregue a página.',
  cannotClaim: 'Esta compra já foi resgatada, ou o e-mail dela já tem uma conta. Entre na sua conta.',
  purchaseForgotten:
    'Já se passou mais de uma hora desde a compra. Use o link da mensagem ou peça para recebê-la de novo.',
  heldByOther: ({ ref, holder }) => `O pedido ${ref} está na biblioteca de ${holder}. Entre nessa conta.`,
  orderGivenBack: ({ ref }) => `O pedido ${ref} foi reembolsado. Se isso for um engano, fale com a loja.`,
  orderDisputed: ({ ref }) =>
    `O pagamento do pedido ${ref} está sendo contestado. Abra o link de novo quando isso for decidido.`,
  orderOpensNothing: ({ ref }) =>
    `O pedido ${ref} não dá acesso a nada no momento. Se isso for um engano, fale com a loja.`,
  orderIsPresent: ({ ref }) => `O pedido ${ref} virou presente. Resgate o código dele em /redeem.`,
  notYourPresent:
    'Esta compra só pode ser dada de presente pela conta que a tem. Entre nessa conta ou fale com a loja.',
  presentBefore: ({ ref }) => `O pedido ${ref} já é um presente ou não está pago.`,

  codeEmpty: 'Digite um código.',
  codesLater: ({ seconds }) =>
    f.plural(seconds, {
      one: 'Houve muitos códigos errados. Espere um segundo e tente de novo.',
      other: `Houve muitos códigos errados. Espere ${f.number(seconds)} segundos e tente de novo.`,
    }),
  code: {
    unknown: 'Esta loja não conhece este código. Compare-o com o que você recebeu.',
    revoked: 'Este código foi cancelado. Fale com quem o deu a você.',
    late: 'Este código expirou. Fale com quem o deu a você.',
    used: 'Este código já foi usado o máximo de vezes. Fale com quem o deu a você.',
    unpaid: 'A compra deste código foi reembolsada ou expirou. Fale com quem o deu a você.',
  },
  codeNeedsEmail: 'Para criar a conta, digite seu e-mail, como ada@example.org.',
  codeForOthers:
    'O seu exemplar já está na sua biblioteca. Este código é para as outras pessoas, não para a conta que comprou.',
  noMoneyBack:
    'Não é possível pedir o reembolso: este pedido não é seu ou não está pago, a garantia acabou, ou você já pediu.',
  noCopies: 'Nenhum dos seus pedidos pagos tem exemplares para outras pessoas.',
  codeOfAccount: 'Este e-mail já tem uma conta. Entre e digite o código de novo.',

  notForSale: ({ slug }) => `Não há nada à venda com o nome “${slug}”.`,
  noOrder: ({ provider, key }) => `Não há nenhum pedido ${key} em ${provider}.`,
};

const request: Words['refusals']['request'] = {
  titles: {
    401: 'Entre primeiro',
    403: 'Não permitido',
    404: 'Página não encontrada',
    405: 'Método não permitido',
    413: 'Grande demais',
    429: 'Muitas solicitações',
    503: 'Temporariamente indisponível',
  },
  failed: 'Algo deu errado',
  toShop: 'Todos os livros e skills',

  noPage: 'Não há nenhuma página neste endereço. Todos os livros e skills estão na página inicial.',
  notFound: ({ name }) => `“${name}” não foi encontrado. Todos os livros e skills estão na página inicial.`,
  noFile: 'Este arquivo não foi encontrado. Recarregue a página.',
  otherMethod: ({ method, allow }) => `Este endereço não aceita ${method}. Use ${allow}.`,
  internal: ({ id }) => `Erro interno. Ele está no registro da loja, na solicitação ${id}.`,
  storage: ({ id }) =>
    `Não é possível salvar nada no momento. Tente de novo mais tarde. A causa está no registro da loja, na solicitação ${id}.`,
  outOfFiles: 'Há conexões demais abertas no momento. Tente de novo mais tarde.',

  signIn: 'É preciso entrar para abrir esta página. Entre e tente de novo.',
  foreignForm: ({ origin }) =>
    `Este formulário não foi enviado das páginas desta loja. Abra ${origin} e envie-o de lá.`,
  badTarget:
    'O endereço tem uma barra invertida, segmentos de pontos ou um host. Envie só o caminho, com “%5C” no lugar de “\\\\”.',
  keyInQuery:
    'Uma chave de API não pode ir na URL. Envie-a como “Authorization: Bearer svc_…” e revogue-a se outras pessoas puderem ter visto esta URL.',

  cutShort: 'A solicitação não chegou completa.',
  tooSlow: ({ seconds }) =>
    `A solicitação não chegou completa em ${f.number(seconds)} s. Envie-a mais depressa.`,
  tooLarge: ({ kib }) => `A solicitação tem mais de ${f.number(kib)} KiB. Envie uma menor.`,
  bodiesLater: 'Há muitas solicitações grandes como esta agora. Envie-a de novo.',
  manyFields: ({ most }) =>
    `O formulário tem mais de ${f.number(most)} campos. Envie-o da página à qual ele pertence.`,
  noForm: 'Não foi possível ler o formulário. Envie-o da página à qual ele pertence.',

  addressLater: ({ limit, seconds, wait }) =>
    `Este endereço fez mais de ${f.number(limit)} solicitações em ${f.number(seconds)} s. Espere ${f.number(wait)} s.`,
  accountLater: ({ limit, seconds, wait }) =>
    `Esta conta fez mais de ${f.number(limit)} solicitações em ${f.number(seconds)} s. Espere ${f.number(wait)} s.`,
  questionsAtOnce: ({ most }) =>
    `Uma conta pode fazer no máximo ${f.number(most)} perguntas ao mesmo tempo. Espere uma delas terminar.`,
  filesAtOnce: 'Uma conta só pode salvar um arquivo por vez. Espere o primeiro terminar.',
  listsAtOnce: ({ most }) =>
    `Uma conta pode carregar no máximo ${f.number(most)} listas longas ao mesmo tempo. Espere uma delas terminar.`,
  downloadsLater: 'Há downloads demais em andamento. Tente de novo quando alguns terminarem.',
  searchesAtOnce: ({ most }) =>
    `Não é possível fazer mais de ${f.number(most)} buscas ao mesmo tempo. Espere uma delas terminar.`,
};

const library: Words['refusals']['library'] = {
  key: {
    notFound: ({ id }) => `Você não tem nenhuma chave “${id}”. Recarregue a lista das suas chaves.`,
    badName: ({ most }) =>
      `Este nome não serve para uma chave. Use de 1 a ${most} caracteres, sem quebras de linha.`,
    full: ({ most }) => `A conta já tem ${most} chaves ativas. Revogue uma antes de criar outra.`,
    sentBefore:
      'Este formulário já tinha sido enviado, e nenhuma chave foi criada agora. Se a chave da lista não é a que você copiou, revogue-a e envie o formulário de novo.',
  },
  token: {
    notFound: ({ id }) => `Você não tem nenhum link “${id}”. Recarregue a lista dos seus links.`,
    badName: ({ most }) =>
      `Este nome não serve para um link. Use de 1 a ${most} caracteres, sem quebras de linha.`,
    full: ({ most }) => `A conta já tem ${most} links ativos. Revogue um antes de criar outro.`,
    sentBefore:
      'Este formulário já tinha sido enviado, e nenhum link foi criado agora. Se o link da lista não é o que você copiou, revogue-o e envie o formulário de novo.',
    unknown:
      'Este link não abre nada: foi digitado errado, revogado ou expirou. Quem o criou pode criar outro na página /dashboard/connect.',
  },
  noTerm: ({ text }) =>
    `“${text}” não serve como validade. Informe de 1 a 9999 dias, ou “never” para não ter prazo.`,
  notHeld: 'Este título não está mais na sua biblioteca. Escolha outro.',
  unknownKey: ({ key }) => `Não há nenhuma chave “${key}”. Escolha uma da lista.`,
  noTime: ({ text }) => `“${text}” não é uma data. Escreva 2026-11-20 ou 2026-11-20T14:30:00Z.`,
};

export const refusals: Words['refusals'] = {
  account,
  request,
  library,
  reading: {
    noFile: ({ path, slug, page }) => `“${path}” não existe em “${slug}”. Todos os arquivos estão em ${page}`,
    cannot: ({ action, slug, wasSold }) =>
      `Não é possível ${VERBS[action]} “${slug}”${wasSold ? ' na versão que foi vendida' : ''}`,
    notYours: ({ cannot, remedy }) => `${cannot}: não está na sua biblioteca. ${remedy}`,
    notYet: ({ expected }) =>
      `Ainda não foi publicado${expected === null ? '' : ` (previsto: ${expected})`}.`,
    free: ({ slug }) => `É gratuito: instale a partir de /api/install/${slug}`,
    buyAt: ({ price, url }) => `Compre por ${price} em ${url}`,
    buyFrom: ({ price, contact }) => `Para comprar por ${price}, fale com ${contact}`,
    buyOf: ({ price, publisher }) => `Para comprar por ${price}, fale com ${publisher}`,
    orConfirm: ({ url, remedy }) =>
      `Se foi comprado com o endereço desta conta, ou se esse endereço recebeu acesso, estará disponível quando o endereço for confirmado em ${url}. ${remedy}`,
    notPublished: ({ slug }) =>
      `“${slug}” ainda não foi publicado. A página dele diz quando isso deve acontecer.`,
    noText: ({ slug }) => `“${slug}” não tem texto para responder a perguntas.`,
    unproven: ({ slug }) => `Não é possível provar citações de “${slug}”: a editora não as assinou.`,
    proofsLater: ({ most }) =>
      `Não é possível provar mais de ${most} citações de livros pagos por hora. Tente mais tarde.`,
    sessionEnded: ({ slug }) => `Não é possível continuar com “${slug}”: a sessão terminou. Entre de novo.`,
    stopped: 'A resposta parou antes do fim. Pergunte de novo.',
    tokensSpent:
      'O limite diário do modelo nesta loja se esgotou. Pergunte de novo depois da meia-noite (UTC).',
    questionsSpent: ({ most }) =>
      `O modelo responde a no máximo ${f.number(most)} perguntas por dia. Pergunte de novo depois da meia-noite (UTC).`,
    epubFailed: ({ slug }) =>
      `Não foi possível criar o EPUB de “${slug}”. Tente de novo mais tarde e avise a loja.`,
    epubEmpty: ({ slug }) => `“${slug}” não tem EPUB, porque não tem capítulos. Instale-o em vez disso.`,
    epubBusy: 'Há EPUBs demais sendo criados agora. Tente de novo em um minuto.',
    reports: {
      many: ({ most }) =>
        `Você pode ter no máximo ${f.number(most)} avisos pendentes. Espere o autor resolver alguns.`,
      noQuestion: ({ most }) =>
        `Não é possível enviar esta pergunta: ela precisa ter de 1 a ${f.number(most)} caracteres. Pergunte ao livro e envie de lá.`,
    },
    notes: {
      noPage:
        'Não é possível continuar depois desta nota: ela foi excluída, ou o livro dela está fechado. Abra suas notas de novo.',
      noText: ({ path }) => `O livro não tem nenhum texto “${path}”.`,
      noWords: ({ most }) =>
        `Não é possível guardar estas palavras: uma nota cobre de 1 a ${f.number(most)} caracteres de um só texto. Escolha outras.`,
      noNote: 'Esta nota não existe: ela foi excluída ou não é sua.',
      many: ({ most }) => `Um livro pode ter no máximo ${f.number(most)} notas. Exclua algumas primeiro.`,
      full: ({ megabytes }) =>
        `Não é possível guardar mais de ${f.number(megabytes)} MB de notas. Exclua algumas primeiro.`,
      tooLong: ({ most }) => `Uma nota pode ter no máximo ${f.number(most)} caracteres. Encurte-a.`,
      newEdition: 'O livro tem uma nova edição. Recarregue a página e selecione as palavras de novo.',
      noPlace: 'Não foi possível encontrar estas palavras no texto. Selecione outras.',
    },
    model: {
      cut: 'O modelo interrompeu a resposta. Pergunte de novo.',
      gaveUp: 'O modelo desistiu da resposta. Pergunte de novo.',
      overloaded: 'O modelo está sobrecarregado. Pergunte de novo daqui a pouco.',
      refused: 'O modelo não está aceitando perguntas desta loja. Avise a loja; a causa está no registro.',
      questionTooLong: 'A pergunta é longa demais para o modelo. Encurte-a.',
      promptTooLong:
        'A pergunta e os trechos, juntos, são longos demais para o modelo. Faça uma pergunta mais curta ou avise a loja.',
      unreachable: 'Não foi possível acessar o modelo. Tente de novo daqui a pouco.',
      late: 'O modelo demorou demais para responder. Pergunte de novo ou faça uma pergunta mais específica.',
      busy: 'O modelo já está respondendo a todas as perguntas que pode. Pergunte de novo em instantes.',
      otherProtocol: 'Não é possível ler a resposta do modelo. Avise a loja.',
      noJson: 'Não foi possível ler a resposta do modelo. Pergunte de novo.',
      noEnd: 'Não foi possível ler a resposta do modelo.',
      reasoning: 'O modelo misturou a resposta com o próprio raciocínio. Pergunte de novo.',
      promptCut: 'A resposta não é confiável: o modelo não leu tudo. Avise a loja.',
    },
  },
};
