package dev.kudu4j.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.trino.tpch.LineItem;
import io.trino.tpch.Order;
import org.junit.jupiter.api.Test;

class TpchGeneratorTest {
  private final TpchGenerator generator = new TpchGenerator(0.01);

  @Test
  void rowsAreTpchsButForTheirComments() {
    LineItem line = generator.lines().iterator().next();
    assertThat(line.toLine())
        .startsWith(
            "1|1552|93|1|17|24710.35|0.04|0.02|N|O|1996-03-13|1996-02-12|1996-03-22"
                + "|DELIVER IN PERSON|TRUCK|");
    Order order = generator.orders().iterator().next();
    assertThat(order.toLine()).startsWith("1|370|O|172799.49|1996-01-02|5-LOW|Clerk#000000951|0|");
  }

  @Test
  void rowsAreTheSameEveryTimeAndAsManyAsTpchHas() {
    long lines = 0;
    var again = new TpchGenerator(0.01).lines().iterator();
    for (LineItem line : generator.lines()) {
      assertThat(again.next().toLine()).isEqualTo(line.toLine());
      lines++;
    }
    assertThat(lines).isEqualTo(60_175);
    assertThat(generator.orderCount()).isEqualTo(15_000);
    assertThat(generator.roughLineCount()).isEqualTo(60_000);
  }
}
