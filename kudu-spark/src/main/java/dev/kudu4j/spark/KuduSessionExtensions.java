package dev.kudu4j.spark;

import dev.kudu4j.spark.analysis.MergeKeys;
import dev.kudu4j.spark.analysis.OwnOptions;
import dev.kudu4j.spark.analysis.StatementParser;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * The session extension that adds {@link OwnOptions}, {@link StatementParser} and {@link
 * MergeKeys}. Spark finds it automatically if the jar is loaded when the session starts; otherwise
 * set {@code spark.sql.extensions=dev.kudu4j.spark.KuduSessionExtensions}.
 */
public final class KuduSessionExtensions
    extends AbstractFunction1<SparkSessionExtensions, BoxedUnit>
    implements SparkSessionExtensionsProvider {

  /**
   * Adds the rule of options at two stages, because the names of some relations are expressions,
   * which Spark evaluates after the first stage.
   */
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectParser(
        new AbstractFunction2<SparkSession, ParserInterface, ParserInterface>() {
          @Override
          public ParserInterface apply(SparkSession session, ParserInterface spark) {
            return new StatementParser(session, spark);
          }
        });
    extensions.injectHintResolutionRule(OwnOptions::new);
    extensions.injectResolutionRule(OwnOptions::new);
    extensions.injectPreCBORule(MergeKeys::new);
    return BoxedUnit.UNIT;
  }
}
