package dev.kudu4j.spark;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the catalog shows, makes and changes. */
class KuduCatalogTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  @Test
  void missingTableIsNamed() {
    assertThatThrownBy(() -> KUDU.spark().sql("SELECT * FROM k.db.missing"))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND")
        .hasMessageContaining("missing");
  }
}
