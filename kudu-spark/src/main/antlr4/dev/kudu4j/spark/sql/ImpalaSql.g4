// The statements of Impala for tables of Kudu, as far as Spark does not have them.
//
// Types, expressions and queries are only delimited here: their tokens go to Spark's parser as they are.
grammar ImpalaSql;

options { caseInsensitive = true; }

createTableStatement: createTable SEMICOLON* EOF;
alterTableStatement: alterTable SEMICOLON* EOF;
showPartitionsStatement: SHOW (RANGE? PARTITIONS | HASH SCHEMA) tableName SEMICOLON* EOF;
// The start of a write, after WITH or EXPLAIN. Spark parses the rest.
writeStart: (UPSERT | INSERT IGNORE) INTO TABLE? tableName;

// ---------------------------------------------------------------- CREATE TABLE

createTable
  : createTableStart
    (LPAREN element (COMMA element)* RPAREN)?
    primaryKey? // of CREATE TABLE AS SELECT
    partitionBy?
    comment?
    storedAs?
    properties?
    (AS query)?
  ;

createTableStart: CREATE TABLE (IF NOT EXISTS)? tableName;
element: primaryKey | column;
primaryKey: PRIMARY KEY columns;
columns: LPAREN identifier (COMMA identifier)* RPAREN;
column: name=identifier dataType attribute*;
dataType: identifier (LPAREN nested* RPAREN | LT angled* GT)?;

attribute
  : PRIMARY KEY        # keyAttribute
  | NOT NULL           # notNull
  | NULL               # nullable
  | ENCODING word      # encoding
  | COMPRESSION word   # compression
  | BLOCK_SIZE NUMBER  # blockSize
  | DEFAULT expression # default
  | COMMENT STRING     # columnComment
  ;

comment: COMMENT STRING;
storedAs: STORED AS KUDU;
properties: TBLPROPERTIES LPAREN property (COMMA property)* RPAREN;
property: key=STRING EQ value=STRING;
query: ~SEMICOLON+;

// ---------------------------------------------------------------- partitions

partitionBy: PARTITION BY dimension (COMMA? dimension)*;
dimension
  : hashing                                                                          # hash
  | RANGE columns? LPAREN PARTITION hashedRange (COMMA? PARTITION hashedRange)* RPAREN # ranges
  ;

hashing: HASH columns? PARTITIONS NUMBER;
hashedRange: range hashing*; // the hash schema of this range

range
  : VALUE EQ bound                                             # oneValue
  | VALUES upperSign=(LT | LTE) upper=bound                    # below
  | lower=bound lowerSign=(LT | LTE) VALUES
    (upperSign=(LT | LTE) upper=bound)?                        # between
  ;

bound: LPAREN constant (COMMA constant)+ RPAREN | constant;
// HASH after a constant starts the hash schema of the range; at its start, it is a function.
constant: (HASH | constantPart) constantPart*;
constantPart
  : LPAREN nested* RPAREN
  | ~(LPAREN | RPAREN | COMMA | SEMICOLON | EQ | LT | LTE | GT | GTE | VALUE | VALUES | PARTITION | HASH)
  ;

// ---------------------------------------------------------------- ALTER TABLE

alterTable
  : ALTER TABLE tableName
    (ADD (IF NOT EXISTS)? RANGE PARTITION hashedRange | DROP (IF EXISTS)? RANGE PARTITION range)
  ;

// ---------------------------------------------------------------- parts

tableName: identifier (DOT identifier)*;

// A default: everything up to the next attribute or column.
expression: (NULL | NOT | expressionPart) expressionPart*;
expressionPart
  : LPAREN nested* RPAREN
  | ~(LPAREN | RPAREN | COMMA | SEMICOLON | PRIMARY | NOT | NULL | ENCODING | COMPRESSION | BLOCK_SIZE | DEFAULT | COMMENT)
  ;

nested: LPAREN nested* RPAREN | ~(LPAREN | RPAREN);
angled: LT angled* GT | ~(LT | GT);

word: identifier | DEFAULT;
identifier: IDENTIFIER | BACKQUOTED | nonReserved;
nonReserved
  : ADD | ALTER | BLOCK_SIZE | BY | COMMENT | COMPRESSION | DROP | ENCODING | EXPLAIN | HASH | IGNORE | INSERT | KEY | KUDU
  | PARTITIONS | RANGE | SCHEMA | SHOW | STORED | TBLPROPERTIES | UPSERT | VALUE | VALUES
  ;

// ---------------------------------------------------------------- tokens

ADD: 'ADD';
ALTER: 'ALTER';
AS: 'AS';
BLOCK_SIZE: 'BLOCK_SIZE';
BY: 'BY';
COMMENT: 'COMMENT';
COMPRESSION: 'COMPRESSION';
CREATE: 'CREATE';
DEFAULT: 'DEFAULT';
DROP: 'DROP';
ENCODING: 'ENCODING';
EXISTS: 'EXISTS';
EXPLAIN: 'EXPLAIN';
HASH: 'HASH';
IF: 'IF';
IGNORE: 'IGNORE';
INSERT: 'INSERT';
INTO: 'INTO';
KEY: 'KEY';
KUDU: 'KUDU';
NOT: 'NOT';
NULL: 'NULL';
PARTITION: 'PARTITION';
PARTITIONS: 'PARTITIONS';
PRIMARY: 'PRIMARY';
RANGE: 'RANGE';
SCHEMA: 'SCHEMA';
SHOW: 'SHOW';
STORED: 'STORED';
TABLE: 'TABLE';
TBLPROPERTIES: 'TBLPROPERTIES';
UPSERT: 'UPSERT';
VALUE: 'VALUE';
VALUES: 'VALUES';
WITH: 'WITH';

LPAREN: '(';
RPAREN: ')';
COMMA: ',';
DOT: '.';
SEMICOLON: ';';
EQ: '=';
LT: '<';
LTE: '<=';
GT: '>';
GTE: '>=';

STRING: '\'' (~['\\] | '\\' . | '\'\'')* '\'' | '"' (~["\\] | '\\' . | '""')* '"';
BACKQUOTED: '`' (~'`' | '``')* '`';
NUMBER: [0-9]+ ('.' [0-9]*)? ([E] [+-]? [0-9]+)? [A-Z]* | '.' [0-9]+ ([E] [+-]? [0-9]+)? [A-Z]*;
IDENTIFIER: [A-Z_\p{L}] [A-Z0-9_\p{L}]*;

LINE_COMMENT: '--' ~[\r\n]* -> channel(HIDDEN);
BLOCK_COMMENT: '/*' (BLOCK_COMMENT | .)*? '*/' -> channel(HIDDEN);
SPACE: [ \t\r\n\u000C\p{White_Space}]+ -> channel(HIDDEN);
OTHER: .;
