package dev.kudu4j.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.master.MasterOptions;
import dev.kudu4j.server.flags.OptionsPage;
import dev.kudu4j.tserver.TabletServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * docs/options.md matches the options. With WRITE_OPTIONS_PAGE=1 in the environment it writes the
 * page.
 */
class OptionsPageTest {
  @Test
  void optionsPageIsCurrent() throws IOException {
    Path page = Path.of("..", "docs", "options.md");
    String current = OptionsPage.markdown(TabletServerOptions.all(), MasterOptions.all());
    if (System.getenv("WRITE_OPTIONS_PAGE") != null) {
      Files.writeString(page, current);
    }
    assertThat(page).as("run with WRITE_OPTIONS_PAGE=1").content().isEqualTo(current);
  }
}
