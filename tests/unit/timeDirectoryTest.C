// A time that is exchanged for another one is the old or the new one, wherever
// that was interrupted

#include "timeDirectory.H"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace fs = std::filesystem;

namespace Foam
{

class timeDirectoryTest : public ::testing::Test
{
protected:

    const fs::path dir =
        fs::temp_directory_path()
       /("timeDirectoryTest." + std::to_string(::getpid()));

    const fs::path written = dir/".writing"/"1";
    const fs::path target = dir/"1";
    const fs::path replaced = dir/".replaced"/"1";

    timeDirectoryTest()
    {
        fs::create_directories(dir);
    }

    ~timeDirectoryTest()
    {
        fs::remove_all(dir);
    }

    static void put(const fs::path& file, const std::string& text)
    {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }

    static std::string get(const fs::path& file)
    {
        std::ifstream is(file);
        std::string text;
        std::getline(is, text);
        return text;
    }

    void exchange()
    {
        timeDirectory::exchange(written, target, replaced, {"state"});
    }

    void putNew()
    {
        put(written/"U", "new");
        put(written/"uniform"/"time", "new");
    }

    void putOld(const fs::path& where)
    {
        put(where/"U", "old");
        put(where/"T", "old");
        put(where/"uniform"/"time", "old");
        put(where/"uniform"/"state", "old");
        put(where/"uniform"/"other", "old");
    }

    void checkNew(const bool withOthers)
    {
        EXPECT_EQ(get(target/"U"), "new");
        EXPECT_EQ(get(target/"uniform"/"time"), "new");
        EXPECT_EQ(fs::exists(target/"T"), withOthers);
        EXPECT_EQ(fs::exists(target/"uniform"/"other"), withOthers);
        EXPECT_FALSE(fs::exists(target/"uniform"/"state"));
        EXPECT_FALSE(fs::exists(written));
        EXPECT_FALSE(fs::exists(replaced));
    }
};


TEST_F(timeDirectoryTest, exchangesANewTime)
{
    putNew();
    exchange();
    checkNew(false);

    // Once more changes nothing
    exchange();
    checkNew(false);
}


TEST_F(timeDirectoryTest, keepsWhatTheOldOneHasAlone)
{
    putOld(target);
    putNew();
    exchange();
    checkNew(true);

    exchange();
    checkNew(true);
}


TEST_F(timeDirectoryTest, goesOnAfterTheFirstRename)
{
    putOld(replaced);
    putNew();
    exchange();
    checkNew(true);
}


TEST_F(timeDirectoryTest, goesOnAfterTheSecondRename)
{
    putOld(replaced);
    putNew();
    fs::rename(written, target);
    exchange();
    checkNew(true);
}


TEST_F(timeDirectoryTest, leavesAloneWhatALinkLeadsTo)
{
    putOld(dir/"whole");
    fs::create_directories(target);
    fs::create_directory_symlink("../whole/uniform", target/"uniform");
    putNew();
    exchange();

    EXPECT_EQ(get(target/"uniform"/"time"), "new");
    EXPECT_FALSE(fs::exists(target/"uniform"/"other"));
    EXPECT_TRUE(fs::exists(dir/"whole"/"uniform"/"other"));
}


TEST_F(timeDirectoryTest, writesLinesWithAllOfThem)
{
    const std::vector<std::string> lines{"time", "0.1", "0.05"};

    EXPECT_TRUE(timeDirectory::lines(dir/"file").empty());

    timeDirectory::writeLines(dir/"file", lines);
    EXPECT_EQ(timeDirectory::lines(dir/"file"), lines);

    timeDirectory::removeFile(dir/"file");
    EXPECT_TRUE(timeDirectory::lines(dir/"file").empty());
}


TEST_F(timeDirectoryTest, goesOnWithFilesThatAreAdded)
{
    const fs::path added = dir/".writing"/"added";
    const fs::path adding = dir/".adding";

    for (const bool begun : {false, true})
    {
        put(target/"U", "old");
        put(added/"1"/"UMean", begun ? "second" : "first");
        put(added/"2"/"UMean", "of a time that is gone");

        if (begun)
        {
            fs::rename(added, adding);
        }

        timeDirectory::addFiles(added, adding, dir);

        EXPECT_EQ(get(target/"U"), "old");
        EXPECT_EQ(get(target/"UMean"), begun ? "second" : "first");
        EXPECT_FALSE(fs::exists(dir/"2"));
        EXPECT_FALSE(fs::exists(added));
        EXPECT_FALSE(fs::exists(adding));
    }

    // Nothing to add
    timeDirectory::addFiles(added, adding, dir);
}

} // End namespace Foam
