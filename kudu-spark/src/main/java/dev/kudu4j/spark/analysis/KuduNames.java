package dev.kudu4j.spark.analysis;

import dev.kudu4j.spark.KuduCatalog;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.AnalysisContext;
import org.apache.spark.sql.catalyst.analysis.Analyzer;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.internal.SessionState;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Which names of a session belong to tables of our catalogs. The analyzer looks up catalogs here,
 * because Spark's manager of catalogs is a class in Spark 4.1 and an interface in Spark 4.2.
 */
record KuduNames(SparkSession session) {
  /**
   * Whether the name belongs to one of our catalogs, as far as it can be determined from the name.
   */
  boolean contain(Seq<String> name) {
    SessionState state = state(session);
    if (name.length() > 1) {
      CatalogPlugin catalog = catalogOf(state.analyzer(), name);
      if (catalog.name().equals(name.head())) {
        return catalog instanceof KuduCatalog;
      }
    }
    return currentCatalog(state.analyzer()) instanceof KuduCatalog
        && state.catalog().getRawLocalOrGlobalTempView(name).isEmpty();
  }

  /**
   * The current catalog. In the text of a view, this is the one that was current when the view was
   * created.
   */
  private static CatalogPlugin currentCatalog(Analyzer analyzer) {
    Seq<String> ofView = AnalysisContext.get().catalogAndNamespace();
    return ofView.isEmpty()
        ? analyzer.currentCatalog()
        : catalogOf(
            analyzer, CollectionConverters.asScala(List.of(ofView.head(), "n", "t")).toSeq());
  }

  /** The catalog that the first part names, or else the current one. */
  private static CatalogPlugin catalogOf(Analyzer analyzer, Seq<String> name) {
    return analyzer.CatalogAndIdentifier().unapply(name).get()._1();
  }

  static SessionState state(SparkSession session) {
    return ((org.apache.spark.sql.classic.SparkSession) session).sessionState();
  }
}
