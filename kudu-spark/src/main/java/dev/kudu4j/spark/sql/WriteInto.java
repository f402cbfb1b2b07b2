package dev.kudu4j.spark.sql;

import dev.kudu4j.spark.sql.ImpalaSqlParser.WriteStartContext;
import java.util.List;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Token;

/**
 * UPSERT INTO and INSERT IGNORE INTO. Both become INSERT INTO, in place, with an option of the
 * write.
 */
record WriteInto(String statement, Token verb, List<String> table) implements Statement {
  @Override
  public Translation translate(ConstantEvaluator constants) {
    CommonTokenStream tokens = Grammar.tokens(statement);
    tokens.fill();
    tokens.seek(verb.getTokenIndex());
    WriteStartContext start = Grammar.parser(tokens, verb.getText()).writeStart();
    StatementText text = new StatementText(statement);
    if (start.UPSERT() != null) {
      text.replace(start.UPSERT().getSymbol(), "INSERT");
      return new Translation.Write(text.withoutInsertions(), "upsert");
    }
    text.replace(start.IGNORE().getSymbol(), "");
    return new Translation.Write(text.withoutInsertions(), "insert_ignore");
  }
}
