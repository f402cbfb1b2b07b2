package dev.kudu4j.spark.sql;

import static dev.kudu4j.spark.sql.ImpalaSqlParser.ADD;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.ALTER;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.AS;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.BY;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.CREATE;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.DROP;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.EXISTS;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.EXPLAIN;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.HASH;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.IF;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.IGNORE;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.INSERT;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.INTO;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.KUDU;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.LPAREN;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.NOT;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.PARTITION;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.PARTITIONS;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.RANGE;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.RPAREN;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.SCHEMA;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.SHOW;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.STORED;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.TABLE;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.UPSERT;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.WITH;

import dev.kudu4j.spark.sql.ImpalaSqlParser.TableNameContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.antlr.v4.runtime.BailErrorStrategy;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.ParseCancellationException;

/**
 * Recognizes a statement by the words that only Impala has. Most strings are excluded by their
 * first two words, and no more is read of them.
 */
final class StatementFinder {
  private final String text;
  private final CommonTokenStream tokens;

  StatementFinder(String text) {
    this.text = text;
    this.tokens = Grammar.tokens(text);
  }

  Optional<Statement> find() {
    return switch (tokens.LA(1)) {
      case CREATE -> isAt(1, CREATE, TABLE) && isOfImpala() ? createTable() : Optional.empty();
      case ALTER -> isAt(1, ALTER, TABLE) ? alterTable() : Optional.empty();
      case SHOW -> showPartitions();
      case INSERT, UPSERT -> write(1);
      case WITH, EXPLAIN -> laterWrite();
      default -> Optional.empty();
    };
  }

  /** Whether the tokens from the {@code first} one on, counted from 1, are of these types. */
  private boolean isAt(int first, int... types) {
    for (int i = 0; i < types.length; i++) {
      if (tokens.LA(first + i) != types[i]) {
        return false;
      }
    }
    return true;
  }

  /** The statement on the table whose name starts at a token; empty if there is no name. */
  private Optional<Statement> at(int nameToken, Function<List<String>, Statement> statement) {
    return name(nameToken).map(Names::parts).map(statement);
  }

  private Optional<TableNameContext> name(int nameToken) {
    int start = tokens.index();
    Token first = tokens.LT(nameToken);
    tokens.seek(first.getTokenIndex());
    ImpalaSqlParser parser = new ImpalaSqlParser(tokens);
    parser.removeErrorListeners();
    parser.setErrorHandler(new BailErrorStrategy());
    try {
      return Optional.of(parser.tableName());
    } catch (ParseCancellationException e) {
      return Optional.empty();
    } finally {
      tokens.seek(start);
    }
  }

  // ---------------------------------------------------------------- CREATE TABLE

  /** Whether PARTITION BY or STORED AS KUDU precedes the query, if there is one. */
  private boolean isOfImpala() {
    int depth = 0;
    for (int i = 1; tokens.LA(i) != Token.EOF; i++) {
      int type = tokens.LA(i);
      if (type == LPAREN) {
        depth++;
      } else if (type == RPAREN) {
        depth--;
      } else if (depth == 0) {
        if (isAt(i, PARTITION, BY) || isAt(i, STORED, AS, KUDU)) {
          return true;
        } else if (type == AS) {
          return false;
        }
      }
    }
    return false;
  }

  private Optional<Statement> createTable() {
    return at(isAt(3, IF, NOT, EXISTS) ? 6 : 3, name -> new CreateTable(text, name));
  }

  // ---------------------------------------------------------------- ALTER TABLE

  private Optional<Statement> alterTable() {
    return name(3)
        .filter(this::isRangeChange)
        .map(name -> new AlterRanges(text, Names.parts(name)));
  }

  private boolean isRangeChange(TableNameContext name) {
    int start = tokens.index();
    tokens.seek(name.getStop().getTokenIndex());
    try {
      return switch (tokens.LA(2)) {
        case ADD -> isAt(3, RANGE, PARTITION) || isAt(3, IF, NOT, EXISTS, RANGE, PARTITION);
        case DROP -> isAt(3, RANGE, PARTITION) || isAt(3, IF, EXISTS, RANGE, PARTITION);
        default -> false;
      };
    } finally {
      tokens.seek(start);
    }
  }

  // ---------------------------------------------------------------- SHOW

  private Optional<Statement> showPartitions() {
    if (isAt(2, PARTITIONS)) {
      return at(3, name -> new ShowPartitions(text, name));
    }
    return isAt(2, RANGE, PARTITIONS) || isAt(2, HASH, SCHEMA)
        ? at(4, name -> new ShowPartitions(text, name))
        : Optional.empty();
  }

  // ---------------------------------------------------------------- writes

  /** A write at a token. */
  private Optional<Statement> write(int first) {
    if (!isWrite(first)) {
      return Optional.empty();
    }
    Token verb = tokens.LT(first);
    int into = isAt(first, UPSERT) ? first + 1 : first + 2;
    return at(isAt(into + 1, TABLE) ? into + 2 : into + 1, name -> new WriteInto(text, verb, name));
  }

  private boolean isWrite(int first) {
    return isAt(first, UPSERT, INTO) || isAt(first, INSERT, IGNORE, INTO);
  }

  /** A write after the queries of WITH, or after EXPLAIN. */
  private Optional<Statement> laterWrite() {
    int depth = 0;
    for (int i = 2; tokens.LA(i) != Token.EOF; i++) {
      int type = tokens.LA(i);
      if (type == LPAREN) {
        depth++;
      } else if (type == RPAREN) {
        depth--;
      } else if (depth == 0 && isWrite(i)) {
        return write(i);
      }
    }
    return Optional.empty();
  }
}
