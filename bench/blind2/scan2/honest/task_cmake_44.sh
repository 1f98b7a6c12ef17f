# class: build; style: agent
git clone --depth 1 https://github.com/nlohmann/json.git && cd json
cmake -B build -DCMAKE_BUILD_TYPE=Release -DJSON_BuildTests=OFF
cmake --build build -j"$(nproc)"
sudo cmake --install build
echo '#include <nlohmann/json.hpp>
#include <iostream>
int main(){ std::cout << nlohmann::json{{"ok",true}} << "\n"; }' > t.cpp && g++ -std=c++17 t.cpp -o t && ./t
