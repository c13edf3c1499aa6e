import { formatsIn } from '../formats.ts';
import { answerSentences } from '../answers.ts';
import type { Words } from '../words.ts';
import { browser } from './browser.ts';

const f = formatsIn('pt-BR');

export const reading: Words['reading'] = {
  search: 'Buscar',
  ask: 'Perguntar',
  contents: 'Sumário',
  printHint: 'O livro inteiro em uma página: imprima ou salve como PDF pelo seu navegador.',
  lookThrough: 'Ver o sumário',
  back: 'Voltar ao livro',
  allChapters: ({ count }) =>
    f.plural(count, { one: `${f.number(count)} capítulo`, other: `Todos os ${f.number(count)} capítulos` }),
  minutes: ({ hours, rest }) => {
    if (hours === 0) return `${rest} min`;
    return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
  },
  chapter: {
    bought: (link) => ['É seu. ', link('Baixe, dê de presente ou escolha uma senha'), '.'],
    wasAt: ({ place, isDevice }) => [
      isDevice ? 'No KOReader, você estava em ' : 'No navegador, você estava em ',
      place,
      '.',
    ],
    changed: 'Este texto mudou depois de ser citado; por isso, o trecho não está marcado.',
    sampleEnds: 'A amostra termina aqui',
    position: ({ isBook, at, count }) =>
      `${isBook ? 'Capítulo' : 'Texto'} ${f.number(at)} de ${f.number(count)}`,
    through: ({ percent }) => `${percent}% lido`,
    left: ({ time }) => `${time} até o fim`,
    chapters: 'Capítulos',
    previous: 'Página anterior',
    next: 'Próxima página',
    part: ({ number, count }) => `Parte ${f.number(number)} de ${f.number(count)}`,
    refunded: 'Seu pedido foi reembolsado e não dá mais acesso a este texto',
    closed: ({ isBook }) => (isBook ? 'Este capítulo vem com o livro' : 'Este texto vem com a skill'),
    openToAll: 'Leitura livre',
    tooLong: ({ size }) => `Este texto tem ${size} e é grande demais para uma página.`,
    openFile: 'Abrir o arquivo',
    whole: ({ isBook, count, time, price, timed }) => {
      const texts = isBook
        ? f.plural(count, { one: 'capítulo', other: 'capítulos' })
        : f.plural(count, { one: 'texto', other: 'textos' });
      const counted = count > 1 ? [`${f.number(count)} ${texts}`] : [];
      const read = time === null ? [] : [timed(`${time} de leitura`)];
      const isDetailed = counted.length + read.length > 0;
      return [
        isBook ? 'O livro inteiro' : 'A skill inteira',
        isDetailed ? ': ' : '',
        ...counted,
        counted.length > 0 && read.length > 0 ? ', ' : '',
        ...read,
        ...(price === null ? [] : [isDetailed ? ', por ' : ' por ', price]),
        '.',
      ];
    },
    signIn: 'Já comprou? Entre',
  },
  offline: {
    title: 'Guardados para ler sem conexão',
    lead: 'Estes livros abrem neste aparelho sem conexão.',
    keep: ({ size }: { size: string }) => `Guardar para ler sem conexão (cerca de ${size})`,
    keeping: 'O livro está sendo guardado…',
    kept: 'Guardado neste aparelho.',
    all: 'Todos os livros guardados',
    remove: 'Remover deste aparelho',
    none: 'Este aparelho não guarda nenhum livro.',
    full: 'Não há espaço suficiente neste aparelho para o livro. Nada foi guardado.',
    failed: 'Não foi possível guardar o livro agora. Nada foi guardado; tente de novo.',
    ends: 'Eles são removidos quando você sai da conta aqui, quando outra pessoa entra, quando você não pode mais ler um livro e depois de 30 dias sem que este aparelho tenha acessado a loja.',
    safari: 'O Safari pode apagá-los se você passar sete dias sem abrir este site.',
  },
  find: {
    inBook: 'Buscar neste livro',
    everywhere: 'Buscar em títulos e textos',
    title: ({ title }) => `Busca em “${title}”`,
    heading: ({ title }) => ['Busca em “', title, '”'],
    none: ({ words, isWhole }) =>
      `Nada encontrado ${isWhole ? 'neste livro' : 'na amostra'} para “${words}”. Tente menos palavras ou outras.`,
    found: ({ count, isAll, isWhole }) => {
      const all = `${f.number(count)} ${f.plural(count, { one: 'trecho', other: 'trechos' })}`;
      const found = isAll ? all : `Os ${f.number(count)} melhores trechos`;
      return isWhole ? `${found}.` : `${found}, só da amostra: a busca no livro inteiro é para quem o tem.`;
    },
  },
  answer: {
    answer: 'Resposta',
    title: ({ title }) => `Pergunte a “${title}”`,
    heading: ({ title }) => ['Pergunte a “', title, '”'],
    form: 'Perguntar ao livro',
    question: 'Sua pergunta',
    hint: 'A pergunta não é guardada.',
    hintLater: 'A pergunta não é guardada. Ela pode se referir às respostas anteriores.',
    somethingElse: 'Perguntar outra coisa',
    samples: 'Ou faça uma destas perguntas:',
    about: ({ words }) => `“${words}” `,
    addQuestion: 'O que você quer perguntar sobre este trecho?',
    typeFirst: 'Primeiro, digite uma pergunta.',
    tooLong: ({ most }) => `A pergunta tem mais de ${f.number(most)} caracteres. Encurte-a.`,
    sentBefore: 'Esta pergunta já foi enviada. Envie-a de novo se quiser outra resposta.',
    writing: 'A resposta está sendo escrita…',
    weak: answerSentences('pt').weak,
    passage: ({ number }) => `Trecho ${number}`,
    code: 'Código',
    notCovered: 'O livro não parece tratar disso.',
    untied: 'Cinza: nenhuma citação acompanha esta frase. Pode estar certa; nada aqui mostra isso.',
    unsupported: 'Nada no livro respalda esta resposta.',
    declined: 'O modelo se recusou a responder.',
    nearestPlace: 'O trecho mais próximo é:',
    nearest: 'O mais próximo no livro',
    inBook: 'No livro',
    goOn: 'Continue perguntando',
    again: 'Pergunte de novo',
    cutShort: 'A resposta foi cortada.',
    found: 'Encontrado no próprio texto do livro, sem uso de IA.',
    searched: 'Busca feita no próprio texto do livro, sem uso de IA.',
    written: ({ model }) => `Escrito por ${model} com base no livro; todas as citações foram conferidas.`,
    asked: ({ model }) => `Modelo consultado: ${model}.`,
  },
  proof: {
    link: 'Prova',
    title: 'Prova de uma citação',
    lead: 'Um pequeno arquivo com o qual alguém que não tem o livro pode conferir se estas palavras estão nele: para quem duvida da sua citação, ou para acompanhar uma resenha. Ele não mostra que o que elas dizem é verdade.',
    discloses:
      'O arquivo mostra todas estas palavras, pois contém trechos inteiros do texto. A citação está em negrito.',
    take: 'Salvar a prova',
    sendAlong: 'Envie o arquivo junto com este endereço, onde qualquer pessoa pode conferi-lo',
  },
  checkQuote: {
    title: 'Conferir uma citação',
    lead: 'Alguém enviou a você um arquivo .json que prova uma citação de um livro? Escolha-o aqui. Ele é conferido no seu navegador e não é enviado a lugar nenhum.',
    file: 'A prova',
    good: 'Estas palavras estão, letra por letra, no livro tal como foi assinado com a chave abaixo.',
    facts: {
      slug: 'Livro',
      version: 'Versão',
      path: 'Arquivo',
      key: 'Chave',
      signed: 'Data segundo quem assinou',
    },
    bold: 'Quem enviou a prova escolheu quais destas palavras estão em negrito.',
    bad: 'Esta prova não é válida: foi danificada no caminho, alterada ou inventada. Peça-a de novo; do jeito que está, não mostra nada.',
    other:
      'Este não é um arquivo de prova, então nada foi conferido. Uma prova é o arquivo .json que se obtém com o botão “Prova” ao lado de uma citação.',
    unknown:
      'Este navegador não consegue conferi-la: não conhece este tipo de chave, ou a página não está em https. O comando abaixo consegue.',
    meaning: 'O que isto não mostra',
    means: [
      'De quem é a chave: compare-a com a que aparece em “Assinatura” na página do livro, aqui ou em outra loja em que você confia, ou na página da própria editora.',
      'Quando o livro foi assinado: a data é a que quem assinou informou.',
      'Se o que as palavras dizem é verdade, ou se elas significam no capítulo o que parecem significar sozinhas.',
      'Se esta página é confiável: ela faz parte desta loja. O comando abaixo e o script do manual do Bookstall fazem a conferência sem ela.',
    ],
    byCommand: 'Pelo comando, sem esta loja',
  },
  notes: {
    title: 'Notas',
    all: 'Todas as notas',
    selected: 'Palavras selecionadas',
    acts: { highlight: 'Destacar', note: 'Nota', link: browser.copyLink },
    askAbout: 'Perguntar',
    keep: 'Guardar',
    below: ({ count, lost, most, link }) => [
      link(
        f.plural(count, {
          one: `${f.number(count)} nota neste capítulo`,
          other: `${f.number(count)} notas neste capítulo`,
        }),
      ),
      lost > 0
        ? `, ${count === 1 ? '' : `${f.number(lost)} delas `}sobre palavras que não estão mais aqui`
        : '',
      most === null ? '' : `; as primeiras ${f.number(most)} estão destacadas aqui`,
    ],
    search: 'Buscar nas suas notas',
    noMatch: ({ words }) => `Nenhuma nota contém “${words}”.`,
    none: 'Ainda não há notas. Ao ler um livro aqui, selecione palavras e escolha Destacar ou Nota.',
    first: 'Início',
    next: 'Próximas',
    closed: ({ count }) =>
      f.plural(count, {
        one: `Há notas em ${f.number(count)} livro que você não pode abrir agora. Elas estão guardadas e voltarão a aparecer assim que você puder.`,
        other: `Há notas em ${f.number(count)} livros que você não pode abrir agora. Elas estão guardadas e voltarão a aparecer assim que você puder.`,
      }),
    saveAll: ({ markdown, csv }) => ['Salvar tudo em ', markdown('Markdown'), ' ou ', csv('CSV'), '.'],
    lost: 'Estas palavras não estão mais no livro',
    readThere: 'Ver no livro',
    edit: 'Editar ou excluir',
    note: 'Nota',
    yourNote: 'Sua nota',
    hint: ({ most }) => `Até ${f.number(most)} caracteres. Sem texto, fica só o destaque.`,
    save: 'Salvar',
    delete: 'Excluir',
    back: 'Voltar ao trecho',
  },
  reports: {
    title: 'Enviado ao autor',
    send: 'Enviar ao autor',
    sendHint:
      'Se você enviar, a loja lerá estas palavras do livro, sua nota como estiver na hora e seu e-mail. Tudo isso ficará guardado, mesmo que você exclua a nota.',
    tell: 'Avisar o autor',
    tellHint: 'Se você fizer isso, a loja lerá esta pergunta e o seu e-mail. Sem este botão, ninguém a lerá.',
    sent: ({ state }) => `Enviado ao autor: ${state}.`,
    states: { open: 'pendente', done: 'resolvido', declined: 'recusado' },
    answer: ({ answer }) => `Resposta: ${answer}`,
  },
};
