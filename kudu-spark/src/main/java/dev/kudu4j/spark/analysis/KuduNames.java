package dev.kudu4j.spark.analysis;

import dev.kudu4j.spark.KuduCatalog;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.AnalysisContext;
import org.apache.spark.sql.connector.catalog.CatalogManager;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.internal.SessionState;
import scala.collection.immutable.Seq;

/** Which names of a session belong to tables of our catalogs. */
record KuduNames(SparkSession session) {
  /**
   * Whether the name belongs to one of our catalogs, as far as it can be determined from the name.
   */
  boolean contain(Seq<String> name) {
    SessionState state = state(session);
    CatalogManager catalogs = state.catalogManager();
    if (name.length() > 1 && catalogs.isCatalogRegistered(name.head())) {
      return catalogs.catalog(name.head()) instanceof KuduCatalog;
    }
    return currentCatalog(catalogs) instanceof KuduCatalog
        && state.catalog().getRawLocalOrGlobalTempView(name).isEmpty();
  }

  /**
   * The current catalog. In the text of a view, this is the one that was current when the view was
   * created.
   */
  private static CatalogPlugin currentCatalog(CatalogManager catalogs) {
    Seq<String> ofView = AnalysisContext.get().catalogAndNamespace();
    return ofView.isEmpty() ? catalogs.currentCatalog() : catalogs.catalog(ofView.head());
  }

  static SessionState state(SparkSession session) {
    return ((org.apache.spark.sql.classic.SparkSession) session).sessionState();
  }
}
